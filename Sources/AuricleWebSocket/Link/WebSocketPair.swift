import AuricleRecognition

/// Two ends of one connection without a network: for tests, and for parts that talk within one process.
public struct WebSocketPair: Sendable {
  /// One end.
  public let first: any WebSocketConnection
  /// The other end.
  public let second: any WebSocketConnection

  /// Connects two ends.
  public init(limits: WebSocketLimits = WebSocketLimits()) {
    let wire = PairWire()
    let first = Link(limits: limits) { [weak wire] _ in wire?.pump() }
    let second = Link(limits: limits) { [weak wire] _ in wire?.pump() }
    wire.connect(first, second)
    self.first = PairEnd(link: first, wire: wire)
    self.second = PairEnd(link: second, wire: wire)
  }
}

/// One end, which keeps the wire alive.
private struct PairEnd: WebSocketConnection {
  let link: Link
  let wire: PairWire

  var closure: WebSocketClosure? { link.closure }
  func send(_ message: WebSocketMessage) async throws(WebSocketError) { try await link.send(message) }
  func receive() async -> WebSocketMessage? { await link.receive() }
  func ping() async throws(WebSocketError) { try await link.ping() }
  func close(_ code: WebSocketCloseCode, reason: String) async { await link.close(code, reason: reason) }
  func cancel() { link.cancel() }
}

/// Carries what one end sends to the other.
private final class PairWire: Sendable {
  /// Who carries: one thread at a time, so that nothing overtakes.
  private struct State: Sendable {
    var ends: [Link] = []
    var isPumping = false
    var isAskedAgain = false
  }

  private let state = Guarded(State())

  func connect(_ first: Link, _ second: Link) {
    state.withLock { $0.ends = [first, second] }
    first.perform { $0.opened() }
    second.perform { $0.opened() }
  }

  func pump() {
    let ends: [Link]? = state.withLock { state in
      state.isAskedAgain = true
      guard !state.isPumping, state.ends.count == 2 else { return nil }
      state.isPumping = true
      return state.ends
    }
    guard let ends else { return }
    while isAskedAgain() {
      carry(from: ends[0], to: ends[1])
      carry(from: ends[1], to: ends[0])
    }
  }

  private func isAskedAgain() -> Bool {
    state.withLock { state in
      defer { state.isAskedAgain = false }
      state.isPumping = state.isAskedAgain
      return state.isAskedAgain
    }
  }

  private func carry(from: Link, to: Link) {
    if let closure = from.closure, let error = closure.error {
      to.perform { $0.transportEnded(WebSocketError(.lost, "The other side is gone: \(error.kind.name).")) }
      return
    }
    while to.read({ !$0.isPaused }), let next = from.decide({ $0.takeOutgoing() }) {
      switch next {
      case .message(let message):
        let verdict = to.decide { $0.received(message) }
        if verdict == .tooBig {
          end(from: to, to: from, WebSocketClosure(.messageTooBig, "A message is over the limit."))
        }
      case .ping: from.perform { $0.heardPong() }
      case .farewell(let code, let reason): end(from: from, to: to, WebSocketClosure(code, reason))
      }
    }
  }

  private func end(from: Link, to: Link, _ closure: WebSocketClosure) {
    let gone = WebSocketError(.lost, "The other side is gone.")
    to.perform { state in
      state.heardFarewell(closure)
      return state.transportEnded(gone)
    }
    from.perform { $0.transportEnded(gone) }
  }
}
