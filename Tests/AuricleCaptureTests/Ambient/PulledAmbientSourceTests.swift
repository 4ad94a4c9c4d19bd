import AuricleAudio
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleCapture

@Suite("Ambient capture of any source", .timeLimit(.minutes(5)))
struct PulledAmbientSourceTests {
  private let consumer = RecordingConsumer()

  private func capture(
    _ permission: RecordPermission = .granted, _ open: @escaping @Sendable () throws -> any AudioSource
  ) throws -> AmbientAudioCapture {
    let source = PulledAmbientSource(host: AudioRecordHost(permission: permission, openSource: RecordSource(open)))
    let capture = try AmbientAudioCapture(
      sessionRef: "s", participants: ["p"], policy: AmbientSessionPolicy(revision: "r"), source: source,
      consumer: consumer)
    capture.requestPermission { _ in }
    try capture.consent("p")
    return capture
  }

  private func wait(_ what: () -> Bool) async throws { while !what() { try await Task.sleep(for: .milliseconds(1)) } }

  @Test("B13, B21: Blocks come averaged to mono with the source's frame numbers, gaps as jumps; the end is told")
  func blocks() async throws {
    let stereo = try AudioFormat(sampleRate: 48_000, channelCount: 2)
    let script: [AudioChunk] = [
      .audio(PCMBlock(format: stereo, startFrame: 0, samples: [1, 0, 0.5, 0.5])),
      .gap(AudioGap(frames: 2..<10, sampleRate: 48_000, reason: .overrun)),
      .audio(PCMBlock(format: stereo, startFrame: 10, samples: [0.25, 0.75])),
    ]
    let capture = try capture { ScriptedSource(format: stereo, script: script) }
    try capture.start()
    try await wait { capture.snapshot().reason == .sourceEnded }
    #expect(consumer.heard.map(\.samples) == [[0.5, 0.5], [0.5]])
    #expect(consumer.heard.map(\.offset) == [0, 10])
  }

  @Test("B27: A source that does not open leaves everything as it was")
  func opening() throws {
    let capture = try capture { throw AudioError(.notFound, "no such device") }
    expectError(.sourceFailed) { try capture.start() }
    #expect(capture.snapshot().reason == .notStarted)
  }

  @Test("B27: A source that fails in between ends admission with its reason")
  func failing() async throws {
    let capture = try capture {
      ScriptedSource(format: .speech, script: [], failure: AudioError(.readFailed, "gone"))
    }
    try capture.start()
    try await wait { capture.snapshot().reason == .sourceFailed }
  }

  @Test("B14: What happens to a device interrupts, also where its source goes on; what happens to others does not")
  func events() async throws {
    let expected: [(CaptureEvent, AmbientReason)] = [
      (CaptureEvent(.streamMoved, "moved"), .routeChange),
      (CaptureEvent(.deviceRemoved, "gone", details: ["isInUse": "true"]), .routeChange),
      (CaptureEvent(.streamSuspended, "asleep"), .audioInterruption),
      (CaptureEvent(.serverLost, "gone"), .reconfiguration), (CaptureEvent(.formatChanged, "new"), .reconfiguration),
      (CaptureEvent(.deviceRemoved, "another"), .sourceEnded), (CaptureEvent(.deviceAdded, "new"), .sourceEnded),
      (CaptureEvent(.defaultDeviceChanged, "another"), .sourceEnded), (CaptureEvent(.inputSilent, "0"), .sourceEnded),
    ]
    for (event, reason) in expected {
      let capture = try capture { ScriptedSource(format: .speech, script: [.notice(AudioNotice(event))]) }
      try capture.start()
      try await wait { !capture.snapshot().isCapturing }
      #expect(capture.snapshot().reason == reason)
    }
  }

  @Test("B14: A device or a server that is lost interrupts, and can be resumed", arguments: [true, false])
  func losses(_ isServer: Bool) async throws {
    let lost = AudioError(isServer ? .serverLost : .deviceLost, "gone")
    let capture = try capture { ScriptedSource(format: .speech, script: [], failure: lost) }
    try capture.start()
    try await wait { !capture.snapshot().isCapturing }
    #expect(capture.snapshot().reason == (isServer ? .reconfiguration : .routeChange))
    try capture.start(resuming: true)
  }

  @Test("B11, B15: A pause ends the reading, and resuming opens the source anew")
  func pausing() async throws {
    let sources = [PushSource(.speech), PushSource(.speech)]
    let script = OpeningScript(sources)
    let capture = try capture { try script.next() }
    try capture.start()
    await sources[0].push([1])
    try await wait { consumer.heardCount == 1 }
    try capture.pause()
    await sources[0].push([2])
    try capture.start(resuming: true)
    await sources[1].push([3])
    try await wait { consumer.heardCount == 2 }
    #expect(consumer.heard.map(\.samples) == [[1], [3]])
    #expect(consumer.heard.map(\.epoch) == [1, 2])
    capture.withdraw()
    #expect(capture.snapshot().cleanupComplete)
  }

  @Test("B2: The host's permission is asked at each start")
  func permission() throws {
    let capture = try capture(.undetermined) { PushSource(.speech) }
    expectError(.permissionMissing) { try capture.start() }
  }
}

/// Sources in the order in which they are opened.
private final class OpeningScript: @unchecked Sendable {
  // The rule that makes it safe: only the test's own thread opens sources.
  private var sources: [PushSource]
  init(_ sources: [PushSource]) { self.sources = sources }
  func next() throws -> PushSource { sources.removeFirst() }
}
