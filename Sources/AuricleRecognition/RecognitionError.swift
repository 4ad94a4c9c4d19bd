/// What went wrong with a recogniser.
///
/// The set of kinds is open. ``Kind/advice`` says what a program can do about it.
public struct RecognitionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What a program can do about an error.
  public enum Advice: Sendable {
    /// Try the same again later.
    case retry
    /// Make a new provider or session.
    case rebuild
    /// Only a person can mend it.
    case askUser
    /// Nothing helps.
    case giveUp
  }

  /// A stable name and number of what went wrong.
  public struct Kind: Hashable, Sendable {
    /// The stable number, in the domain `auricle.recognition`.
    public let code: Int
    /// The stable name.
    public let name: String
    /// What a program can do about it.
    public let advice: Advice
    /// Creates a kind; numbers and names are stable and never reused.
    public init(code: Int, name: String, advice: Advice) {
      self.code = code
      self.name = name
      self.advice = advice
    }

    /// There is no model, or the engine is not installed.
    public static let notConfigured = Kind(code: 1, name: "notConfigured", advice: .askUser)
    /// The model is there, and it is broken or of an unknown kind.
    public static let invalidModel = Kind(code: 2, name: "invalidModel", advice: .askUser)
    /// The recogniser does not know the language.
    public static let languageUnsupported = Kind(code: 3, name: "languageUnsupported", advice: .askUser)
    /// A value in the configuration is not allowed.
    public static let invalidParameter = Kind(code: 4, name: "invalidParameter", advice: .askUser)
    /// The recogniser failed while it ran.
    public static let failed = Kind(code: 5, name: "failed", advice: .rebuild)
    /// The session was cancelled.
    public static let cancelled = Kind(code: 6, name: "cancelled", advice: .giveUp)
  }

  /// What went wrong.
  public let kind: Kind
  /// One sentence for a person that says what to do, without a line break.
  public let message: String

  /// Creates an error.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The sentence for a person.
  public var description: String { message }
}
