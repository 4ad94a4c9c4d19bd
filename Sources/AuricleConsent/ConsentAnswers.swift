/// What everyone said so far to being recorded.
///
/// A value that knows no clock, device or thread. Participants are opaque references; no description or error shows them.
public struct ConsentAnswers: Sendable, Hashable {
  /// What one participant said.
  enum Answer: String, Sendable, Codable {
    /// Nothing yet.
    case pending
    /// Yes.
    case granted
    /// No. It stands until the same participant says yes.
    case denied
  }

  private(set) var answers: [String: Answer]
  /// Everyone who is present, in the order in which they were named.
  public private(set) var participants: [String]

  /// Begins with nobody having said anything.
  /// - Throws: ``ConsentError`` of kind `noParticipants`, `invalidReference` or `repeatedParticipant`.
  public init(participants: [String]) throws(ConsentError) {
    try ConsentRecord.check(participants: participants)
    self.participants = participants
    answers = Dictionary(uniqueKeysWithValues: participants.map { ($0, .pending) })
  }

  /// Whether everyone said yes.
  public var isComplete: Bool { answers.values.allSatisfy { $0 == .granted } }
  /// How many said yes.
  public var grantedCount: Int { answers.values.count { $0 == .granted } }
  /// How many said no.
  public var deniedCount: Int { answers.values.count { $0 == .denied } }

  /// A participant says yes.
  /// - Throws: ``ConsentError`` of kind `unknownParticipant`, when nobody declared them; nothing changes.
  public mutating func consent(_ participant: String) throws(ConsentError) { try answer(participant, .granted) }

  /// A participant says no.
  /// - Throws: ``ConsentError`` of kind `unknownParticipant`, when nobody declared them; nothing changes.
  public mutating func deny(_ participant: String) throws(ConsentError) { try answer(participant, .denied) }

  /// Others are present from now on. Who stays has said what they said; who is new has said nothing.
  /// - Throws: ``ConsentError`` as at the beginning; nothing changes.
  public mutating func changeParticipants(_ participants: [String]) throws(ConsentError) {
    var next = try ConsentAnswers(participants: participants)
    for participant in participants { next.answers[participant] = answers[participant] ?? .pending }
    self = next
  }

  private mutating func answer(_ participant: String, _ answer: Answer) throws(ConsentError) {
    guard answers[participant] != nil else {
      throw ConsentError(.unknownParticipant, "somebody answered who was not declared; declare everyone who is present")
    }
    answers[participant] = answer
  }
}

extension ConsentAnswers: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// How many agreed, of how many; not who.
  public var description: String { "consent of \(grantedCount) of \(participants.count)" }
  /// The same.
  public var debugDescription: String { description }
  /// The same, so that a dump does not show who either.
  public var customMirror: Mirror {
    Mirror(self, children: ["granted": grantedCount, "denied": deniedCount, "participants": participants.count])
  }
}
