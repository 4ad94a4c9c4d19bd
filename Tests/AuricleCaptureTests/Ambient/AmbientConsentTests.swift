import AuricleCapture
import AuricleConsent
import AuricleTestKit
import Foundation
import Testing

@Suite("Ambient capture: consent and permission")
struct AmbientConsentTests {
  @Test("B1: Nothing starts while a participant lacks consent")
  func everyone() throws {
    let rig = try Rig()
    expectError(.consentMissing) { try rig.capture.start() }
    try rig.capture.consent("p-1")
    expectError(.consentMissing) { try rig.capture.start() }
    #expect(rig.source.calls.isEmpty)
    try rig.capture.consent("p-2")
    try rig.capture.start()
    #expect(rig.source.calls == [.start(1)])
  }

  @Test(
    "B2: Everyone's consent without the system's permission starts nothing",
    arguments: [.undetermined, .denied] as [CapturePermission])
  func permission(_ permission: CapturePermission) throws {
    let rig = try Rig.agreed(permission: permission)
    expectError(.permissionMissing) { try rig.capture.start() }
    #expect(rig.source.calls.isEmpty)
  }

  @Test("B3: Permission starts nothing and is nobody's consent")
  func permissionIsNoConsent() throws {
    let rig = try Rig(permission: .undetermined)
    rig.capture.requestPermission { _ in }
    #expect(rig.snapshot.permission == .granted)
    #expect(rig.snapshot.consent.granted == 0)
    #expect(!rig.snapshot.isCapturing)
    #expect(rig.source.calls == [.requestPermission])
    expectError(.consentMissing) { try rig.capture.start() }
  }

  @Test("B4: Answers of people who were not declared are rejected")
  func undeclared() throws {
    let rig = try Rig()
    for answer in [rig.capture.consent, rig.capture.deny] {
      let error = #expect(throws: ConsentError.self) { try answer("p-3") }
      #expect(error?.kind == .unknownParticipant)
      #expect(error?.message.contains("p-3") == false)
    }
    #expect(rig.snapshot.consent.granted == 0)
    #expect(rig.snapshot.consent.denied == 0)
  }

  @Test("B4: Nobody, an empty reference and a repeated one are rejected", arguments: [[], [""], ["a", "a"], ["a\n"]])
  func badParticipants(_ participants: [String]) throws {
    #expect(throws: ConsentError.self) { try Rig(participants: participants) }
    let rig = try Rig.agreed()
    #expect(throws: ConsentError.self) { try rig.capture.changeParticipants(participants) }
    #expect(rig.snapshot.consent.granted == 2)
  }

  @Test("B5: A denial blocks the start until that participant consents")
  func denial() throws {
    let rig = try Rig.agreed()
    try rig.capture.deny("p-2")
    expectError(.consentMissing) { try rig.capture.start() }
    try rig.capture.consent("p-1")
    expectError(.consentMissing) { try rig.capture.start() }
    try rig.capture.consent("p-2")
    try rig.capture.start()
    #expect(rig.snapshot.isCapturing)
  }

  @Test("B5: A denial while capturing stops it")
  func denialStops() throws {
    let rig = try Rig.started()
    try rig.capture.deny("p-1")
    #expect(rig.snapshot.reason == .denied)
    #expect(!rig.source.isRunning)
    expectError(.consentMissing) { try rig.capture.start(resuming: true) }
  }

  @Test("B6: Other participants stop the capture, which resumes when all of them have consented")
  func change() throws {
    let rig = try Rig.started()
    try rig.capture.changeParticipants(["p-1", "p-3"])
    #expect(rig.snapshot.reason == .participantsChanged)
    #expect(!rig.source.isRunning)
    expectError(.consentMissing) { try rig.capture.start(resuming: true) }
    try rig.source.deliver([1], attempt: 0)
    #expect(rig.consumer.heard.isEmpty)
    try rig.capture.consent("p-3")
    try rig.capture.start(resuming: true)
    #expect(rig.snapshot.isCapturing)
    #expect(throws: ConsentError.self) { try rig.capture.consent("p-2") }
  }

  @Test("B7: Permission that is revoked while capturing ends admission")
  func revoked() throws {
    let rig = try Rig.started()
    try rig.source.deliver([1])
    rig.source.notify(.permissionChanged(.denied))
    try rig.source.deliver([2], at: 1)
    #expect(rig.consumer.heard.map(\.samples) == [[1]])
    #expect(rig.snapshot.reason == .permissionRevoked)
    #expect(!rig.source.isRunning)
    rig.source.set(permission: .denied)
    expectError(.permissionMissing) { try rig.capture.start(resuming: true) }
  }

  @Test("B8: Withdrawal works in every state, from every thread, and is final")
  func withdraw() async throws {
    let idle = try Rig()
    let running = try Rig.started()
    let paused = try Rig.started()
    try paused.capture.pause()
    for rig in [idle, running, paused] {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { rig.capture.withdraw() } }
      }
      #expect(rig.snapshot.reason == .withdrawn)
      #expect(!rig.source.isRunning)
      for isResuming in [true, false] {
        expectError(.withdrawn) { try rig.capture.start(resuming: isResuming) }
      }
      expectError(.withdrawn) { try rig.capture.pause() }
      #expect(rig.snapshot.cleanupComplete)
    }
  }

  @Test("B9: Building a capture asks nothing of the source")
  func construction() throws {
    let rig = try Rig.agreed()
    #expect(rig.source.calls.isEmpty)
  }

  @Test("No snapshot, error, transition or description holds a participant or a sample")
  func nothingLeaks() throws {
    let rig = try Rig(participants: ["secret-person"])
    try rig.capture.consent("secret-person")
    try rig.capture.start()
    try rig.source.deliver([0.123456])
    let json =
      try String(decoding: JSONEncoder().encode(rig.snapshot), as: UTF8.self)
      + String(decoding: JSONEncoder().encode(rig.capture.transitions()), as: UTF8.self)
    var dumped = ""
    dump(rig.capture.snapshot(), to: &dumped)
    var consent = try ConsentAnswers(participants: ["secret-person"])
    try consent.consent("secret-person")
    dump(consent, to: &dumped)
    for text in [json, dumped, "\(consent)", String(reflecting: consent)] {
      #expect(!text.contains("secret"))
      #expect(!text.contains("0.1234"))
    }
  }
}
