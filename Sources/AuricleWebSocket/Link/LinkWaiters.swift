/// What a waiting call gets.
typealias LinkOutcome = Result<Void, WebSocketError>

/// A call that waits for something to be done.
struct LinkWaiter: Sendable {
  let id: UInt64
  let continuation: CheckedContinuation<LinkOutcome, Never>
}

/// A message that does not fit yet.
struct LinkSender: Sendable {
  let waiter: LinkWaiter
  let message: WebSocketMessage
}

/// A call that waits for a message.
struct LinkReader: Sendable {
  let id: UInt64
  let continuation: CheckedContinuation<WebSocketMessage?, Never>
}

/// What has to be done outside the lock.
enum LinkAction: Sendable {
  /// A call goes on.
  case resume(LinkWaiter, LinkOutcome)
  /// A reader goes on.
  case deliver(LinkReader, WebSocketMessage?)
  /// The transport looks at the link.
  case wake
}

/// What the transport sends next.
enum LinkOutgoing: Sendable, Equatable {
  /// A message.
  case message(WebSocketMessage)
  /// A question for a sign of life.
  case ping
  /// The farewell; nothing follows it.
  case farewell(WebSocketCloseCode, String)
}

/// What the transport does after a piece of a message.
enum LinkVerdict: Sendable, Equatable {
  /// It goes on.
  case goOn
  /// It reads no more until it is woken.
  case pause
  /// It says farewell at once: the message is over the limit.
  case tooBig
}
