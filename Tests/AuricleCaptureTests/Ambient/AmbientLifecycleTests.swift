import AuricleCapture
import AuricleTestKit
import Foundation
import Testing

@Suite("Ambient capture: epochs, interruptions and the deadline")
struct AmbientLifecycleTests {
  @Test("B11: Each start has a fresh epoch, and a stop invalidates it before the source is told")
  func epochs() throws {
    let rig = try Rig.started()
    #expect(rig.snapshot.epoch == 1)
    try rig.capture.pause()
    try rig.capture.start(resuming: true)
    rig.capture.interrupt(.routeChange)
    try rig.capture.start(resuming: true)
    rig.capture.withdraw()
    #expect(rig.source.calls == [.start(1), .stop, .start(2), .stop, .start(3), .stop])
  }

  @Test("B11: A sample that comes while the source is being stopped is refused")
  func lateWhileStopping() throws {
    let source = StubbornSource()
    let consumer = RecordingConsumer()
    let capture = try AmbientAudioCapture(
      sessionRef: "s", participants: ["p"], policy: AmbientSessionPolicy(revision: "r"), source: source,
      consumer: consumer)
    try capture.consent("p")
    try capture.start()
    try capture.pause()
    #expect(consumer.heard.isEmpty)
    #expect(capture.snapshot().received == 1)
    #expect(capture.snapshot().cleared == 1)
  }

  @Test("B12: A sample of an old epoch is not delivered, and its memory is overwritten")
  func stale() throws {
    let rig = try Rig.started()
    try rig.capture.pause()
    try rig.capture.start(resuming: true)
    let stale = try rig.source.deliver([1, 2], attempt: 0)
    #expect(stale.isCleared)
    #expect(stale.withSamples { Array($0) } == [0, 0])
    #expect(rig.consumer.heard.isEmpty)
  }

  @Test("B12: An event of an old epoch does nothing to the new attempt")
  func staleEvent() throws {
    let rig = try Rig.started()
    try rig.capture.pause()
    try rig.capture.start(resuming: true)
    rig.source.notify(.failed(.sourceFailed), attempt: 0)
    rig.source.notify(.interrupted(.background), attempt: 0)
    #expect(rig.snapshot.isCapturing)
    #expect(rig.source.isRunning)
  }

  @Test("B13: Buffers carry the epoch and the source's own offsets; a gap stays a jump")
  func offsets() throws {
    let rig = try Rig.started()
    try rig.source.deliver([1, 2], at: 100)
    try rig.source.deliver([3], at: 5_000)
    #expect(rig.consumer.heard.map(\.offset) == [100, 5_000])
    #expect(rig.consumer.heard.map(\.epoch) == [1, 1])
  }

  @Test("B14: Each interruption stops the capture", arguments: AmbientInterruption.allCases)
  func interruptions(_ interruption: AmbientInterruption) throws {
    let rig = try Rig.started()
    rig.source.notify(.interrupted(interruption))
    try rig.source.deliver([1])
    #expect(rig.consumer.heard.isEmpty)
    #expect(!rig.source.isRunning)
    #expect(rig.snapshot.reason.rawValue == interruption.rawValue)
  }

  @Test("B15: Nothing resumes by itself; a plain start after a stop is an error")
  func resuming() throws {
    let rig = try Rig.agreed()
    expectError(.nothingToResume) { try rig.capture.start(resuming: true) }
    try rig.capture.start()
    expectError(.alreadyCapturing) { try rig.capture.start() }
    try rig.capture.pause()
    expectError(.resumeRequired) { try rig.capture.start() }
    try rig.capture.start(resuming: true)
    rig.capture.interrupt(.audioInterruption)
    expectError(.resumeRequired) { try rig.capture.start() }
    #expect(!rig.source.isRunning)
    try rig.capture.start(resuming: true)
    #expect(rig.snapshot.isCapturing)
  }

  @Test("B16: An interruption that the host forwards has the same effect, and repeats are harmless")
  func forwarded() throws {
    let rig = try Rig.started()
    rig.capture.interrupt(.background)
    rig.capture.interrupt(.background)
    rig.capture.interrupt(.routeChange)
    #expect(rig.snapshot.reason == .background)
    try rig.capture.start(resuming: true)
    try rig.capture.pause()
    rig.capture.interrupt(.background)
    #expect(rig.snapshot.reason == .paused)
    #expect(rig.source.calls == [.start(1), .stop, .start(2), .stop])
  }

  @Test("B17: The deadline is set at construction, and a pause does not extend it")
  func deadline() throws {
    let policy = AmbientSessionPolicy(revision: "r", maximumDuration: .seconds(60), expiresAutomatically: false)
    let rig = try Rig.agreed(policy: policy)
    rig.clock.advance(by: .seconds(30))
    try rig.capture.start()
    try rig.capture.pause()
    rig.clock.advance(by: .seconds(29))
    try rig.capture.start(resuming: true)
    try rig.source.deliver([1])
    rig.clock.advance(by: .seconds(1))
    try rig.source.deliver([2], at: 1)
    #expect(rig.consumer.heard.map(\.samples) == [[1]])
    #expect(rig.snapshot.reason == .expired)
  }

  @Test("B18: A timer ends the session although nothing is delivered")
  func timer() async throws {
    let rig = try Rig.started(policy: AmbientSessionPolicy(revision: "r", maximumDuration: .seconds(60)))
    await rig.clock.waitForSleepers(1)
    rig.clock.advance(by: .seconds(60))
    while rig.source.isRunning { try await Task.sleep(for: .milliseconds(1)) }
    #expect(rig.snapshot.reason == .expired)
  }

  @Test("B18: Without the timer, expire() and the start enforce the deadline")
  func noTimer() throws {
    let policy = AmbientSessionPolicy(revision: "r", maximumDuration: .seconds(60), expiresAutomatically: false)
    let rig = try Rig.started(policy: policy)
    rig.capture.expire()
    #expect(rig.snapshot.isCapturing)
    rig.clock.advance(by: .seconds(61))
    #expect(rig.clock.sleeperCount == 0)
    rig.capture.expire()
    #expect(!rig.source.isRunning)
    let other = try Rig.agreed(policy: policy)
    other.clock.advance(by: .seconds(60))
    expectError(.expired) { try other.capture.start() }
    #expect(other.source.calls.isEmpty)
  }

  @Test("B19: Expiry is final and leaves nothing behind")
  func expiry() throws {
    let policy = AmbientSessionPolicy(revision: "r", maximumDuration: .seconds(60), expiresAutomatically: false)
    let rig = try Rig.started(policy: policy)
    let buffer = try rig.source.deliver([1])
    rig.clock.advance(by: .seconds(60))
    rig.capture.expire()
    #expect(buffer.isCleared)
    #expect(rig.snapshot.cleanupComplete)
    for isResuming in [true, false] { expectError(.expired) { try rig.capture.start(resuming: isResuming) } }
    rig.capture.withdraw()
    #expect(rig.snapshot.reason == .expired)
  }

  @Test("B30: The transitions of a session are names and numbers in JSON")
  func transitions() throws {
    let rig = try Rig()
    _ = try? rig.capture.start()
    for participant in rig.participants { try rig.capture.consent(participant) }
    try rig.capture.start()
    rig.source.notify(.interrupted(.routeChange))
    try rig.capture.start(resuming: true)
    rig.capture.withdraw()
    let transitions = rig.capture.transitions()
    #expect(
      transitions.map(\.event) == ["start", "consent", "consent", "start", "source.routeChange", "start", "withdraw"])
    #expect(transitions.map(\.isAccepted) == [false, true, true, true, true, true, true])
    #expect(transitions.map(\.epoch) == [0, 0, 0, 1, 1, 2, 2])
    let json = try JSONEncoder().encode(transitions)
    let decoded = try JSONDecoder().decode([AmbientTransition].self, from: json)
    #expect(decoded == transitions)
  }
}

/// Delivers a last buffer while it is told to stop.
private final class StubbornSource: AmbientAudioSource, @unchecked Sendable {
  // The rule that makes it safe: only the test's own thread touches it.
  private var sink: AmbientSink?
  var permission: CapturePermission { .granted }
  func requestPermission(_ completion: @escaping @Sendable (CapturePermission) -> Void) { completion(.granted) }
  func start(_ sink: AmbientSink) { self.sink = sink }
  func stop() throws { sink?.receive(try CapturePCMBuffer(sampleRate: 16_000, sampleOffset: 0, samples: [1])) }
}
