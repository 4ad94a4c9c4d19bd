/// Something that happened in a session beside the words.
public struct SessionEvent: Sendable, Equatable {
  /// What happened. The raw values 0…15 are AIBuds'; ours are above 100. The set is open.
  public struct Kind: Hashable, Sendable {
    /// The stable number.
    public let rawValue: Int
    /// The stable name.
    public let name: String
    /// Creates a kind; numbers and names are stable and never reused.
    public init(rawValue: Int, name: String) {
      self.rawValue = rawValue
      self.name = name
    }

    /// Somebody began to speak.
    public static let speechStarted = Kind(rawValue: 101, name: "speechStarted")
    /// Nobody speaks any more.
    public static let speechEnded = Kind(rawValue: 102, name: "speechEnded")
    /// Audio is missing; the details say where and why.
    public static let audioDropped = Kind(rawValue: 112, name: "audioDropped")
    /// The audio is damaged or odd, and went on; the details say how.
    public static let audioNotice = Kind(rawValue: 116, name: "audioNotice")
    /// The last decode of a sentence does not begin with the words that were promised; they were kept.
    public static let promiseContradicted = Kind(rawValue: 118, name: "promiseContradicted")
    /// Speech was heard in which the recogniser found no words; the details say where.
    public static let speechWithoutText = Kind(rawValue: 117, name: "speechWithoutText")
  }

  /// What happened.
  public let kind: Kind
  /// Where in the audio, in seconds from the stream's start.
  public let time: Double
  /// More about it: stable keys, plain values; never audio and never words that were said.
  public let details: [String: String]

  /// Creates an event.
  public init(_ kind: Kind, time: Double, details: [String: String] = [:]) {
    self.kind = kind
    self.time = time
    self.details = details
  }
}
