import AuricleRecognition

/// A switch that is thrown once and stays: it asks a session to end with what it has.
///
/// Any thread may throw it, any number of tasks may wait for it.
public final class StopSignal: Sendable {
  private struct State {
    var isStopped = false
    var nextID = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Guarded(State())

  /// Creates a switch that is not thrown.
  public init() {}

  /// Whether it was thrown.
  public var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Throws the switch. Harmless when repeated.
  public func stop() {
    let waiters = state.withLock { state in
      state.isStopped = true
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  /// Waits until the switch is thrown.
  /// - Returns: `false` when the task was cancelled before that.
  public func wait() async -> Bool {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard !state.isStopped, !Task.isCancelled else { return true }
          state.waiters[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
    return isStopped
  }
}
