/// How much may wait, and for how long.
public struct WebSocketLimits: Sendable, Equatable {
  /// The largest message that is taken, in bytes. A larger one ends the connection with 1009.
  public var messageByteCount: Int
  /// What may wait to be sent, in bytes. Who sends more waits; one message always fits.
  public var sendByteCount: Int
  /// What may wait to be read, in bytes. Beyond it the other side is slowed down; one message always fits.
  public var receiveByteCount: Int
  /// How long finding the server, connecting and greeting may take together.
  public var handshakeTime: Duration
  /// How long the farewell may take.
  public var closeTime: Duration
  /// After how much time a sign of life is asked for; `nil` never asks.
  public var pingInterval: Duration?
  /// How long the answer to that may take.
  public var pongTime: Duration

  /// Creates a set of limits.
  public init(
    messageByteCount: Int = 1 << 20, sendByteCount: Int = 256 << 10, receiveByteCount: Int = 256 << 10,
    handshakeTime: Duration = .seconds(10), closeTime: Duration = .seconds(3),
    pingInterval: Duration? = .seconds(20), pongTime: Duration = .seconds(10)
  ) {
    self.messageByteCount = messageByteCount
    self.sendByteCount = sendByteCount
    self.receiveByteCount = receiveByteCount
    self.handshakeTime = handshakeTime
    self.closeTime = closeTime
    self.pingInterval = pingInterval
    self.pongTime = pongTime
  }
}

extension Duration {
  /// The same in whole microseconds, at least one.
  var microseconds: Int64 { max(1, Int64(self / .microseconds(1))) }
}
