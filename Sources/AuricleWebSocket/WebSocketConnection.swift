/// An open connection, on either side.
///
/// Any number of tasks send, one receives. Nothing here blocks a thread.
public protocol WebSocketConnection: Sendable {
  /// Sends a message behind those that wait. Waits while as much waits as may.
  /// - Throws: ``WebSocketError``, when the connection is closing or gone, or of kind `cancelled` when the task is
  ///   cancelled; then the message was not sent.
  func send(_ message: WebSocketMessage) async throws(WebSocketError)

  /// Waits for the next message. `nil` at the end, which ``closure`` explains, and when the task is cancelled.
  /// What came before the end is delivered first. One task at a time: a second one takes the first one's place.
  func receive() async -> WebSocketMessage?

  /// Asks for a sign of life and waits for it.
  /// - Throws: ``WebSocketError``, when the connection ends first or the task is cancelled.
  func ping() async throws(WebSocketError)

  /// Sends what waits and a farewell, and waits for the answer, no longer than the limits allow. What still comes is
  /// kept for ``receive()``. Harmless when repeated.
  /// - Parameters:
  ///   - code: A number that may be sent; any other becomes `normal`.
  ///   - reason: At most 123 bytes; cut there.
  func close(_ code: WebSocketCloseCode, reason: String) async

  /// Ends the connection at once. Harmless when repeated.
  func cancel()

  /// How the connection ended; `nil` while it has not.
  var closure: WebSocketClosure? { get }
}

extension WebSocketConnection {
  /// Says farewell; see ``close(_:reason:)``.
  public func close(_ code: WebSocketCloseCode = .normal) async { await close(code, reason: "") }
}

/// What makes connections to servers.
public protocol WebSocketConnector: Sendable {
  /// Connects to a server.
  /// - Parameters:
  ///   - address: Where it is.
  ///   - headers: What the request carries beside what the protocol asks for.
  /// - Throws: ``WebSocketError`` with the true reason; of kind `cancelled` when the task is cancelled.
  func connect(
    to address: WebSocketAddress, headers: [WebSocketHeader]
  ) async throws(WebSocketError) -> any WebSocketConnection
}
