import AuricleConsent
import Foundation
import Testing

@Suite struct ConsentRecordTests {
  @Test(
    "Participants must be named, each once, by something that can be read",
    arguments: [
      ([], ConsentError.Kind.noParticipants), ([""], .invalidReference), (["a", " \t"], .invalidReference),
      (["a\n"], .invalidReference), (["\u{1B}[2J"], .invalidReference), (["a\u{85}b"], .invalidReference),
      (["a", "b", "a"], .repeatedParticipant),
    ])
  func participants(_ participants: [String], _ kind: ConsentError.Kind) {
    let error = #expect(throws: ConsentError.self) {
      try ConsentRecord(participants: participants, grantedAtMilliseconds: 0, policyRevision: "1")
    }
    #expect(error?.kind == kind)
  }

  @Test("A policy's revision must be something that can be read", arguments: ["", " ", "1\u{0}"])
  func policy(_ policy: String) {
    let error = #expect(throws: ConsentError.self) {
      try ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: policy)
    }
    #expect(error?.kind == .invalidReference)
  }

  @Test("No description, dump, mirror or error shows a participant")
  func secrecy() throws {
    let record = try ConsentRecord(
      participants: ["secret-a", "secret-b"], grantedAtMilliseconds: 5, policyRevision: "7")
    var dumped = ""
    dump([record], to: &dumped)
    let gate = ConsentGate()
    try gate.grant(record)
    let again = #expect(throws: ConsentError.self) { try gate.grant(record) }
    let repeated = #expect(throws: ConsentError.self) {
      try ConsentRecord(participants: ["secret", "secret"], grantedAtMilliseconds: 0, policyRevision: "1")
    }
    let texts = [
      "\(record)", String(reflecting: record), "\(Optional(record) as Any)", dumped, "\(gate)", "\(again as Any)",
      "\(repeated as Any)",
    ]
    for text in texts { #expect(!text.contains("secret")) }
    #expect("\(record)" == "consent of 2 to policy 7")
  }

  @Test("A record is read back as it was written, and only a valid one is read")
  func coding() throws {
    let record = try ConsentRecord(participants: ["a", "b"], grantedAtMilliseconds: 5, policyRevision: "7")
    let bytes = try JSONEncoder().encode(record)
    #expect(try JSONDecoder().decode(ConsentRecord.self, from: bytes) == record)
    let twice = Data(#"{"participants":["a","a"],"grantedAtMilliseconds":5,"policyRevision":"7"}"#.utf8)
    #expect(throws: (any Error).self) { try JSONDecoder().decode(ConsentRecord.self, from: twice) }
  }
}
