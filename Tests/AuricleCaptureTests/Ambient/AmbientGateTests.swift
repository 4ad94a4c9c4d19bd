import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@Suite("One consent for an ambient capture and a recording", .timeLimit(.minutes(5)))
struct AmbientGateTests {
  private let gate = ConsentGate()

  @Test("The gate opens when everyone has agreed, and the record names them")
  func opens() throws {
    let rig = try Rig(gate: gate)
    #expect(gate.state == .closed)
    try rig.capture.consent("p-1")
    #expect(gate.state == .closed)
    try rig.capture.consent("p-2")
    #expect(gate.state == .open)
    let record = try ConsentRecord(
      participants: ["p-1", "p-2"], grantedAtMilliseconds: 1_000_000, policyRevision: "r1")
    #expect(gate.record == record)
  }

  @Test("A pause of the capture is none of the recording")
  func pause() throws {
    let rig = try Rig(gate: gate)
    for participant in rig.participants { try rig.capture.consent(participant) }
    try rig.capture.start()
    try rig.capture.pause()
    #expect(gate.state == .open)
    rig.capture.interrupt(.background)
    #expect(gate.state == .open)
  }

  @Test(
    "Whatever takes the consent back ends the recording",
    arguments: ["withdraw", "deny", "change", "expire", "release"])
  func ends(_ how: String) throws {
    var rig: Rig? = try Rig(policy: AmbientSessionPolicy(revision: "r1", expiresAutomatically: false), gate: gate)
    for participant in ["p-1", "p-2"] { try rig?.capture.consent(participant) }
    try rig?.capture.start()
    switch how {
    case "withdraw": rig?.capture.withdraw()
    case "deny": try rig?.capture.deny("p-2")
    case "change": try rig?.capture.changeParticipants(["p-1", "p-2", "p-3"])
    case "expire":
      rig?.clock.advance(by: .seconds(5 * 3_600))
      rig?.capture.expire()
    default: rig = nil
    }
    #expect(gate.state == .withdrawn)
    // Who agrees again agrees to a new recording.
    try? rig?.capture.consent("p-2")
    #expect(gate.state == .withdrawn)
  }

  @Test("A no before everyone has said yes leaves the gate closed, and it can still open")
  func deniedBefore() throws {
    let rig = try Rig(gate: gate)
    try rig.capture.consent("p-1")
    try rig.capture.deny("p-2")
    #expect(gate.state == .closed)
    try rig.capture.consent("p-2")
    #expect(gate.state == .open)
  }

  @Test("A withdrawal on the recording's side ends the capture")
  func withdrawnElsewhere() throws {
    let rig = try Rig(gate: gate)
    for participant in rig.participants { try rig.capture.consent(participant) }
    try rig.capture.start()
    gate.withdraw()
    #expect(rig.snapshot.reason == .withdrawn && !rig.source.isRunning)
    let late = try rig.source.deliver([1])
    #expect(late.isCleared && rig.consumer.heardCount == 0)
  }

  @Test("Withdrawals on both sides at once end both, and nobody waits for ever")
  func both() throws {
    for _ in 0..<200 {
      let gate = ConsentGate()
      let rig = try Rig(gate: gate)
      for participant in rig.participants { try rig.capture.consent(participant) }
      try rig.capture.start()
      DispatchQueue.concurrentPerform(iterations: 3) { index in
        switch index {
        case 0: gate.withdraw()
        case 1: rig.capture.withdraw()
        default: _ = try? rig.source.deliver([1, 2])
        }
      }
      #expect(gate.state == .withdrawn && rig.snapshot.reason == .withdrawn && rig.snapshot.cleanupComplete)
    }
  }
}
