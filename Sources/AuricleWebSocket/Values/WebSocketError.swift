/// What went wrong with a connection, or with making one.
///
/// The set of kinds is open. ``Kind/advice`` says what a program can do about it.
public struct WebSocketError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What a program can do about an error.
  public enum Advice: Sendable {
    /// Try the same again later.
    case retry
    /// Only a person can mend it.
    case askUser
    /// Nothing helps.
    case giveUp
  }

  /// A stable name of what went wrong.
  public struct Kind: Hashable, Sendable {
    /// The stable name.
    public let name: String
    /// What a program can do about it.
    public let advice: Advice
    /// Creates a kind; names are stable and never reused.
    public init(_ name: String, _ advice: Advice) {
      self.name = name
      self.advice = advice
    }

    /// The address is none, or none that is allowed here.
    public static let invalidAddress = Kind("invalidAddress", .askUser)
    /// A header's name or value holds what headers may not hold.
    public static let invalidHeader = Kind("invalidHeader", .giveUp)
    /// Nobody knows the name.
    public static let unresolved = Kind("unresolved", .retry)
    /// Nobody answers at the address.
    public static let unreachable = Kind("unreachable", .retry)
    /// The proxy does not let through.
    public static let proxyFailed = Kind("proxyFailed", .askUser)
    /// The server's certificate is not trusted.
    public static let certificateRejected = Kind("certificateRejected", .askUser)
    /// The server answered with a status instead of a connection; see ``WebSocketError/status``.
    public static let refused = Kind("refused", .askUser)
    /// The two sides did not come to terms.
    public static let handshakeFailed = Kind("handshakeFailed", .retry)
    /// It took longer than it may.
    public static let timedOut = Kind("timedOut", .retry)
    /// The connection is closed.
    public static let closed = Kind("closed", .retry)
    /// The connection broke.
    public static let lost = Kind("lost", .retry)
    /// The other side gave no sign of life in time.
    public static let pingTimeout = Kind("pingTimeout", .retry)
    /// The caller gave up.
    public static let cancelled = Kind("cancelled", .giveUp)
    /// The server cannot listen at the address.
    public static let cannotListen = Kind("cannotListen", .askUser)
    /// The system gives no more of something.
    public static let exhausted = Kind("exhausted", .retry)
  }

  /// What went wrong.
  public let kind: Kind
  /// One sentence for a person, without a line break, a key or a header's value.
  public let message: String
  /// The status that the server answered with, where it did.
  public let status: Int?

  /// Creates an error.
  public init(_ kind: Kind, _ message: String, status: Int? = nil) {
    self.kind = kind
    self.message = message
    self.status = status
  }

  /// The sentence for a person.
  public var description: String { message }
}
