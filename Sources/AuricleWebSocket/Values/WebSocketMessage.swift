/// One whole message.
public enum WebSocketMessage: Sendable, Equatable {
  /// Text.
  case text(String)
  /// Bytes.
  case binary([UInt8])

  /// How many bytes it takes on the wire, without framing.
  public var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}
