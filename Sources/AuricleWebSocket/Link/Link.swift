import AuricleRecognition

/// A connection as its users have it: the state under a lock, and a transport that is woken when there is something to do.
final class Link: WebSocketConnection {
  private let state: Guarded<LinkState>
  private let onWake: @Sendable (Link) -> Void

  /// - Parameter onWake: Called from any thread, outside the lock; must not wait.
  init(limits: WebSocketLimits, onWake: @escaping @Sendable (Link) -> Void) {
    state = Guarded(LinkState(limits: limits))
    self.onWake = onWake
  }

  var closure: WebSocketClosure? { state.withLock { $0.closure } }

  func send(_ message: WebSocketMessage) async throws(WebSocketError) {
    try await wait { state, waiter, isCancelled in
      state.send(LinkSender(waiter: waiter, message: message), isCancelled: isCancelled)
    }
  }

  func ping() async throws(WebSocketError) {
    try await wait { state, waiter, isCancelled in state.ping(waiter, isCancelled: isCancelled) }
  }

  func receive() async -> WebSocketMessage? {
    let id = state.withLock { $0.newID() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let reader = LinkReader(id: id, continuation: continuation)
        perform { $0.receive(reader, isCancelled: Task.isCancelled) }
      }
    } onCancel: {
      perform { $0.release(id) }
    }
  }

  func close(_ code: WebSocketCloseCode, reason: String) async {
    beginClose(code, reason: reason)
    try? await wait { state, waiter, isCancelled in
      isCancelled ? [.resume(waiter, .success(()))] : state.waitUntilEnded(waiter)
    }
  }

  func cancel() { fail(LinkState.isCancelled) }

  // MARK: For the transport

  /// Waits until the two sides came to terms.
  func waitUntilOpen() async throws(WebSocketError) {
    try await wait { state, waiter, isCancelled in
      guard isCancelled else { return state.waitUntilOpen(waiter) }
      return state.ended(.lost(LinkState.isCancelled)) + [.resume(waiter, .failure(LinkState.isCancelled))]
    }
  }

  /// Begins the farewell and does not wait for it.
  func beginClose(_ code: WebSocketCloseCode, reason: String) {
    var cut = reason
    while cut.utf8.count > 123 { cut.removeLast() }
    let closure = WebSocketClosure(code.isSendable ? code : .normal, cut)
    perform { $0.close(closure) }
  }

  /// Ends it at once.
  func fail(_ error: WebSocketError) {
    perform { $0.ended(.lost(error)) }
  }

  /// Ends it at once, if the two sides have not come to terms.
  func failUnlessOpen(_ error: WebSocketError) {
    perform { state in
      if case .connecting = state.phase { state.ended(.lost(error)) } else { [] }
    }
  }

  /// Changes the state, then does what follows from it. Never from inside another change.
  func perform(_ body: (inout LinkState) -> [LinkAction]) {
    act(state.withLock { body(&$0) })
  }

  /// As ``perform(_:)``, with an answer.
  func decide<T: Sendable>(_ body: (inout LinkState) -> (T, [LinkAction])) -> T {
    let (answer, actions) = state.withLock { body(&$0) }
    act(actions)
    return answer
  }

  /// Looks at the state.
  func read<T: Sendable>(_ body: (LinkState) -> T) -> T { state.withLock { body($0) } }

  private func act(_ actions: [LinkAction]) {
    var wakes = false
    for action in actions {
      switch action {
      case .resume(let waiter, let outcome): waiter.continuation.resume(returning: outcome)
      case .deliver(let reader, let message): reader.continuation.resume(returning: message)
      case .wake: wakes = true
      }
    }
    if wakes { onWake(self) }
  }

  private func wait(
    _ body: (inout LinkState, LinkWaiter, Bool) -> [LinkAction]
  ) async throws(WebSocketError) {
    let id = state.withLock { $0.newID() }
    let outcome: LinkOutcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = LinkWaiter(id: id, continuation: continuation)
        perform { body(&$0, waiter, Task.isCancelled) }
      }
    } onCancel: {
      perform { $0.release(id) }
    }
    try outcome.get()
  }
}
