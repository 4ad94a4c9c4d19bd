/// Who agreed to be recorded, when, and to which policy.
///
/// Participants are opaque references that the host chooses. They are encoded, because the report keeps them; no
/// description, dump or error shows them.
public struct ConsentRecord: Sendable, Hashable, Codable {
  /// Everyone who agreed, at least one, each once.
  public let participants: [String]
  /// When, in milliseconds since 1970-01-01T00:00:00Z.
  public let grantedAtMilliseconds: Int64
  /// The revision of the policy that was agreed to.
  public let policyRevision: String

  /// Creates a record.
  /// - Parameters:
  ///   - participants: Opaque references of everyone who agreed.
  ///   - grantedAtMilliseconds: When, in milliseconds since 1970.
  ///   - policyRevision: What was agreed to.
  /// - Throws: ``ConsentError`` of kind `noParticipants`, `invalidReference` or `repeatedParticipant`.
  public init(
    participants: [String], grantedAtMilliseconds: Int64, policyRevision: String
  ) throws(ConsentError) {
    try Self.check(participants: participants)
    try Self.check(policyRevision, "the policy's revision")
    self.participants = participants
    self.grantedAtMilliseconds = grantedAtMilliseconds
    self.policyRevision = policyRevision
  }

  /// Reads a record, under the same rules.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      participants: values.decode([String].self, forKey: .participants),
      grantedAtMilliseconds: values.decode(Int64.self, forKey: .grantedAtMilliseconds),
      policyRevision: values.decode(String.self, forKey: .policyRevision))
  }

  /// Whether these are references of at least one, each once.
  static func check(participants: [String]) throws(ConsentError) {
    guard !participants.isEmpty else {
      throw ConsentError(.noParticipants, "consent names nobody; name everyone who agreed")
    }
    for (index, reference) in participants.enumerated() {
      try Self.check(reference, "participant \(index + 1)")
    }
    guard Set(participants).count == participants.count else {
      throw ConsentError(.repeatedParticipant, "consent names a participant twice")
    }
  }

  private static func check(_ text: String, _ name: String) throws(ConsentError) {
    guard !text.allSatisfy(\.isWhitespace) else { throw ConsentError(.invalidReference, "\(name) is empty") }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw ConsentError(.invalidReference, "\(name) holds a control character")
    }
  }
}

extension ConsentRecord: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// How many agreed, and to what; not who.
  public var description: String { "consent of \(participants.count) to policy \(policyRevision)" }
  /// The same.
  public var debugDescription: String { description }
  /// The same, so that a dump does not show who either.
  public var customMirror: Mirror { Mirror(self, children: ["participantCount": participants.count]) }
}
