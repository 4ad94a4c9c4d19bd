/// The number that says why a connection was closed; RFC 6455, section 7.4.
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: UInt16
  /// Wraps a number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Done.
  public static let normal = WebSocketCloseCode(rawValue: 1000)
  /// One side goes away.
  public static let goingAway = WebSocketCloseCode(rawValue: 1001)
  /// Somebody broke the protocol.
  public static let protocolError = WebSocketCloseCode(rawValue: 1002)
  /// A message of a kind that is not taken.
  public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
  /// The other side gave no number. Never on the wire.
  public static let none = WebSocketCloseCode(rawValue: 1005)
  /// The connection ended without a farewell. Never on the wire.
  public static let abnormal = WebSocketCloseCode(rawValue: 1006)
  /// Text that is no UTF-8.
  public static let invalidText = WebSocketCloseCode(rawValue: 1007)
  /// Something that is not allowed here.
  public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
  /// A message over the limit.
  public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
  /// The server failed.
  public static let internalError = WebSocketCloseCode(rawValue: 1011)
  /// The server has too much to do.
  public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)

  /// Whether it may be sent.
  public var isSendable: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// How a connection ended.
public struct WebSocketClosure: Sendable, Equatable {
  /// The number: the one that was sent, or ``WebSocketCloseCode/abnormal``.
  public let code: WebSocketCloseCode
  /// What the other side said with it, or this side; at most 123 bytes.
  public let reason: String
  /// Why it ended without a farewell; `nil` after one.
  public let error: WebSocketError?

  /// Describes an end.
  public init(_ code: WebSocketCloseCode, _ reason: String = "", error: WebSocketError? = nil) {
    self.code = code
    self.reason = reason
    self.error = error
  }

  /// An end without a farewell.
  static func lost(_ error: WebSocketError) -> WebSocketClosure { WebSocketClosure(.abnormal, error: error) }
}
