/// Why an ambient capture refused something. The set of kinds is open; no message holds a participant or a sample.
public struct AmbientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A stable name of what went wrong.
  public struct Kind: Hashable, Sendable {
    /// The stable name.
    public let name: String
    /// One sentence for a person.
    public let message: String
    /// Creates a kind; names are stable and never reused.
    public init(name: String, message: String) {
      self.name = name
      self.message = message
    }

    /// Somebody has not consented, or said no. Ask them.
    public static let consentMissing = Kind(
      name: "consentMissing", message: "not everyone who is present has consented; ask each of them")
    /// The system does not let this program listen. Ask the user.
    public static let permissionMissing = Kind(
      name: "permissionMissing", message: "the system's permission to record is missing; request it")
    /// It runs already.
    public static let alreadyCapturing = Kind(name: "alreadyCapturing", message: "the capture is running already")
    /// It does not run.
    public static let notCapturing = Kind(name: "notCapturing", message: "the capture is not running")
    /// After a stop it goes on only by `start(resuming: true)`.
    public static let resumeRequired = Kind(
      name: "resumeRequired", message: "the capture was stopped; go on with start(resuming: true)")
    /// There is nothing to resume. Start.
    public static let nothingToResume = Kind(
      name: "nothingToResume", message: "there is nothing to resume; use start()")
    /// Consent was withdrawn; make a new capture.
    public static let withdrawn = Kind(
      name: "withdrawn", message: "consent was withdrawn; make a new capture to ask again")
    /// The deadline has passed; make a new capture.
    public static let expired = Kind(
      name: "expired", message: "the session's time is over; make a new capture to ask again")
    /// The source did not start. Try again.
    public static let sourceFailed = Kind(name: "sourceFailed", message: "the source did not start; try again")
    /// The source did not stop properly before. Make a new source.
    public static let cleanupFailed = Kind(
      name: "cleanupFailed", message: "the source could not be stopped properly; make a new one")
    /// Called from inside the consumer's callback.
    public static let calledFromConsumer = Kind(
      name: "calledFromConsumer", message: "the capture cannot be steered from inside its consumer; do it afterwards")
    /// The policy or the session's reference is of no use.
    public static let invalidPolicy = Kind(
      name: "invalidPolicy", message: "the session's reference or its policy is empty or out of range")
    /// A buffer's numbers are out of their ranges.
    public static let invalidBuffer = Kind(
      name: "invalidBuffer", message: "a buffer's length, rate or offset is out of range")
    /// A sample is not a finite number.
    public static let nonFiniteSamples = Kind(
      name: "nonFiniteSamples", message: "a buffer holds samples that are not numbers")
    /// A device delivers what cannot be taken.
    public static let unsupportedFormat = Kind(
      name: "unsupportedFormat", message: "the device's format is not up to eight channels of separate 32-bit floats")
  }

  /// What went wrong.
  public let kind: Kind
  /// Creates an error.
  public init(_ kind: Kind) { self.kind = kind }
  /// One sentence for a person, without a line break.
  public var message: String { kind.message }
  /// The same.
  public var description: String { message }
}
