import AuricleAudio
import AuricleCapture
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@Suite("Ambient capture over every source", .serialized, .timeLimit(.minutes(5)))
struct AmbientContractTests {
  /// Keeps where buffers stood.
  private final class Places: AmbientPCMConsumer {
    struct Place: Sendable {
      let epoch: UInt64
      let frames: Range<Int64>
    }

    private let heard = Guarded([Place]())
    // The array itself stays behind the lock: a copy's release would be out of ThreadSanitizer's sight.
    var all: [Place] { heard.withLock { $0.map { $0 } } }
    var count: Int { heard.withLock { $0.count } }

    func consume(_ buffer: CapturePCMBuffer, epoch: UInt64) {
      let end = buffer.sampleOffset + Int64(buffer.frameCount)
      heard.withLock { $0.append(Place(epoch: epoch, frames: buffer.sampleOffset..<end)) }
    }
  }

  /// A capture to which everyone agreed, over one kind of source.
  private struct Rig: Sendable {
    let world: ContractWorld
    let consumer = Places()
    let capture: AmbientAudioCapture

    init(_ kind: ContractSource, seconds: Int = 10) async throws {
      world = try await ContractWorld(kind, seconds: seconds)
      capture = try AmbientAudioCapture(
        sessionRef: "s", participants: ["p"], policy: AmbientSessionPolicy(revision: "r"),
        source: PulledAmbientSource(host: world.host), consumer: consumer)
    }

    /// Everyone agrees, and the system as well.
    func agree() throws {
      capture.requestPermission { _ in }
      try capture.consent("p")
    }

    func start(resuming: Bool = false) async throws { try await onThread { try capture.start(resuming: resuming) } }

    func kind(_ body: @escaping @Sendable () throws -> Void) async -> AmbientError.Kind? {
      do { try await onThread(body) } catch { return (error as? AmbientError)?.kind }
      return nil
    }

    func hear(_ count: Int = 3) async throws {
      let before = consumer.count
      #expect(try await eventually { consumer.count >= before + count })
    }

    /// Nothing comes any more.
    func isQuiet() async throws -> Bool {
      let before = consumer.count
      try await Task.sleep(for: .milliseconds(200))
      return consumer.count == before
    }
  }

  @Test(
    "B2, B3: Consent without permission does not allow a start, and permission is nobody's consent",
    arguments: ContractSource.here)
  func permission(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind)
    let capture = rig.capture
    rig.world.permission.withLock { $0 = .denied }
    try rig.agree()
    #expect(await rig.kind { try capture.start() } == .permissionMissing)
    let other = try await Rig(kind)
    let second = other.capture
    second.requestPermission { _ in }
    #expect(await other.kind { try second.start() } == .consentMissing)
    #expect(try await rig.isQuiet())
    #expect(rig.world.openCount + other.world.openCount == 0)
  }

  @Test("B9: Making a capture opens nothing", arguments: ContractSource.here)
  func construction(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind)
    try rig.agree()
    #expect(try await rig.isQuiet())
    #expect(rig.world.openCount == 0)
    if let server = rig.world.server {
      #expect(try await server.control(["list", "short", "source-outputs"]).isEmpty)
    }
  }

  @Test(
    "B11, B12, B13: Each start has an epoch of its own, nothing of an old one comes late, and offsets follow on",
    arguments: ContractSource.here)
  func epochs(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind)
    try rig.agree()
    try await rig.start()
    for epoch in 1...3 as ClosedRange<UInt64> {
      #expect(rig.capture.snapshot().epoch == epoch)
      try await rig.hear()
      try rig.capture.pause()
      #expect(try await rig.isQuiet())
      let places = rig.consumer.all.filter { $0.epoch == epoch }
      #expect(places.count >= 3)
      #expect(zip(places, places.dropFirst()).allSatisfy { $0.frames.upperBound <= $1.frames.lowerBound })
      if rig.capture.snapshot().dropped == 0 {
        #expect(zip(places, places.dropFirst()).allSatisfy { $0.frames.upperBound == $1.frames.lowerBound })
      }
      try await rig.start(resuming: true)
    }
    #expect(rig.consumer.all.map(\.epoch) == rig.consumer.all.map(\.epoch).sorted())
  }

  @Test(
    "B14, B15: Every boundary stops, nothing goes on by itself, and only a resume does", arguments: ContractSource.here)
  func interruptions(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind)
    let capture = rig.capture
    try rig.agree()
    try await rig.start()
    for interruption in AmbientInterruption.allCases {
      try await rig.hear()
      capture.interrupt(interruption)
      #expect(!capture.snapshot().isCapturing)
      #expect(try await rig.isQuiet())
      #expect(await rig.kind { try capture.start() } == .resumeRequired)
      try await rig.start(resuming: true)
    }
    try await rig.hear()
  }

  @Test(
    "B14, B15 over PulseAudio: A device that sleeps or goes, and a server that goes, each stop, and nothing goes on by itself",
    .needsPulseAudio)
  func deviceInterruptions() async throws {
    let rig = try await Rig(.pulse)
    let (server, sink) = (try #require(rig.world.server), rig.world.sink)
    try rig.agree()
    try await rig.start()
    try await rig.hear()
    try await server.control(["suspend-sink", sink.name, "1"])
    #expect(try await eventually { rig.capture.snapshot().reason == .audioInterruption })
    try await server.control(["suspend-sink", sink.name, "0"])
    #expect(try await rig.isQuiet())
    try await rig.start(resuming: true)
    try await rig.hear()
    server.kill()
    #expect(try await eventually { rig.capture.snapshot().reason == .reconfiguration })
    try await server.restart(sinks: [PulseServer.Sink("other")])
    let number = try await server.add(sink)
    #expect(try await rig.isQuiet())
    try await rig.start(resuming: true)
    try await rig.hear()
    try await server.unload(number)
    #expect(try await eventually { rig.capture.snapshot().reason == .routeChange })
    #expect(try await rig.isQuiet())
  }

  @Test(
    "B27: A source that does not open leaves everything as it was, and a later start works",
    arguments: ContractSource.here)
  func opening(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind)
    let capture = rig.capture
    try rig.agree()
    rig.world.refusal.withLock { $0 = AudioError(.notFound, "no such device") }
    #expect(await rig.kind { try capture.start() } == .sourceFailed)
    #expect(rig.world.livingCount == 0)
    rig.world.refusal.withLock { $0 = nil }
    try await rig.start()
    try await rig.hear()
    rig.world.isBroken.withLock { $0 = true }
    #expect(try await eventually { capture.snapshot().reason == .nonFiniteSamples })
    #expect(try await rig.isQuiet())
  }

  @Test("B28: A capture that nobody holds stops its source", arguments: ContractSource.here)
  func released(_ kind: ContractSource) async throws {
    let world: ContractWorld
    do {
      let rig = try await Rig(kind)
      world = rig.world
      try rig.agree()
      try await rig.start()
      try await rig.hear()
      #expect(world.livingCount == 1)
    }
    #expect(try await eventually { world.livingCount == 0 })
    if let server = world.server {
      #expect(
        try await eventually { try await server.control(["list", "short", "source-outputs"]).isEmpty })
    }
  }
}
