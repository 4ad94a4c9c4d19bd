/// Why consent could not be recorded or given.
///
/// The set of kinds is open. No message holds a participant's reference.
public struct ConsentError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A stable name of what went wrong.
  public struct Kind: Hashable, Sendable {
    /// The stable name, as it stands in machine-readable output.
    public let name: String
    /// Creates a kind; names are stable and never reused.
    public init(name: String) { self.name = name }

    /// Nobody is named. Ask the user.
    public static let noParticipants = Kind(name: "noParticipants")
    /// A reference or the policy's revision is empty or holds control characters. Ask the user.
    public static let invalidReference = Kind(name: "invalidReference")
    /// A participant is named twice. Ask the user.
    public static let repeatedParticipant = Kind(name: "repeatedParticipant")
    /// Somebody answered who was not declared. Declare them.
    public static let unknownParticipant = Kind(name: "unknownParticipant")
    /// The gate was opened before. Go on.
    public static let alreadyGranted = Kind(name: "alreadyGranted")
    /// Consent was withdrawn, which is final. Give up.
    public static let withdrawn = Kind(name: "withdrawn")
  }

  /// What went wrong.
  public let kind: Kind
  /// One sentence for a person, without a line break.
  public let message: String

  /// Creates an error.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The sentence for a person.
  public var description: String { message }
}
