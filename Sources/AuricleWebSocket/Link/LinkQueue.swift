/// Messages in order, with their bytes counted. Taking from the front costs the same however many there are.
struct LinkQueue: Sendable {
  private var messages: [WebSocketMessage?] = []
  private var start = 0
  /// How much waits, in bytes. Each message costs a little by itself, so that empty ones do not pile up unseen.
  private(set) var cost = 0

  var isEmpty: Bool { start == messages.count }

  static func cost(_ message: WebSocketMessage) -> Int { message.byteCount + 64 }

  mutating func append(_ message: WebSocketMessage) {
    messages.append(message)
    cost += Self.cost(message)
  }

  mutating func take() -> WebSocketMessage? {
    guard start < messages.count, let message = messages[start] else { return nil }
    messages[start] = nil
    start += 1
    cost -= Self.cost(message)
    if start >= 64, start * 2 >= messages.count {
      messages.removeFirst(start)
      start = 0
    }
    return message
  }
}
