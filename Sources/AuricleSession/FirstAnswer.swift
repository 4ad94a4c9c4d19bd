import AuricleRecognition

/// The first of several answers to one question; later ones are heard by nobody.
package final class FirstAnswer<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiter: CheckedContinuation<Value, Never>?
  }

  private let state = Guarded(State())

  /// Begins without an answer.
  package init() {}

  /// Answers. Harmless when repeated.
  /// - Returns: Whether it is the first answer.
  @discardableResult
  package func give(_ value: Value) -> Bool {
    let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
      guard state.value == nil else { return (false, nil) }
      state.value = value
      defer { state.waiter = nil }
      return (true, state.waiter)
    }
    waiter?.resume(returning: value)
    return isFirst
  }

  /// Waits for the first answer. To be called once.
  package func wait() async -> Value {
    await withCheckedContinuation { continuation in
      let value = state.withLock { state -> Value? in
        if state.value == nil { state.waiter = continuation }
        return state.value
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
