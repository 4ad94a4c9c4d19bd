import AuricleCapture
import AuricleConsent
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

/// Keeps what it was lent, and does what a test tells it from inside the callback.
final class RecordingConsumer: AmbientPCMConsumer {
  struct Heard: Sendable, Equatable {
    let samples: [Float]
    let offset: Int64
    let epoch: UInt64
  }

  struct Failure: Error {}

  private let state = Guarded([Heard]())
  private let body = Guarded<(@Sendable () throws -> Void)?>(nil)

  /// What was heard, once nobody delivers any more.
  var heard: [Heard] { state.withLock { $0 } }
  /// How many buffers were heard so far. The array stays behind the lock: a copy's release would be out of
  /// ThreadSanitizer's sight.
  var heardCount: Int { state.withLock { $0.count } }

  func whenConsuming(_ body: (@Sendable () throws -> Void)?) { self.body.withLock { $0 = body } }

  func consume(_ buffer: CapturePCMBuffer, epoch: UInt64) throws {
    let samples = buffer.withSamples { Array($0) }
    state.withLock { $0.append(Heard(samples: samples, offset: buffer.sampleOffset, epoch: epoch)) }
    try body.withLock { $0 }?()
  }
}

/// A capture with everything scripted.
struct Rig {
  let source: ScriptedAmbientSource
  let consumer = RecordingConsumer()
  let clock = ManualClock()
  let capture: AmbientAudioCapture
  let participants: [String]

  init(
    participants: [String] = ["p-1", "p-2"], permission: CapturePermission = .granted,
    policy: AmbientSessionPolicy = AmbientSessionPolicy(revision: "r1"), gate: ConsentGate? = nil
  ) throws {
    source = ScriptedAmbientSource(permission: permission)
    self.participants = participants
    capture = try AmbientAudioCapture(
      sessionRef: "s-1", participants: participants, policy: policy, source: source, consumer: consumer, gate: gate,
      clock: clock, wallClock: { Date(timeIntervalSince1970: 1_000) })
  }

  /// A rig in which everyone has agreed.
  static func agreed(
    permission: CapturePermission = .granted, policy: AmbientSessionPolicy = AmbientSessionPolicy(revision: "r1")
  ) throws -> Rig {
    let rig = try Rig(permission: permission, policy: policy)
    for participant in rig.participants { try rig.capture.consent(participant) }
    return rig
  }

  /// A rig that listens.
  static func started(policy: AmbientSessionPolicy = AmbientSessionPolicy(revision: "r1")) throws -> Rig {
    let rig = try agreed(policy: policy)
    try rig.capture.start()
    return rig
  }

  var snapshot: AmbientSnapshot { capture.snapshot() }
}

/// The kind of the error that a body throws.
func kind(_ body: () throws -> Void) -> AmbientError.Kind? {
  do {
    try body()
    return nil
  } catch {
    return (error as? AmbientError)?.kind
  }
}

/// Expects a body to be refused.
func expectError(
  _ expected: AmbientError.Kind, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  let thrown = kind(body)
  #expect(thrown == expected, sourceLocation: sourceLocation)
}
