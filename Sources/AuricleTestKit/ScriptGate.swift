import AuricleRecognition
/// A gate that is shut until somebody opens it, and stays open: makes a scripted recogniser slow without a clock.
public final class ScriptGate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var arrivalWaiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Guarded(State())

  /// Creates a gate that is shut.
  public init() {}

  /// Whether somebody opened it.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Opens the gate. Harmless when repeated.
  public func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  /// Waits until somebody has come to the gate.
  public func waitForArrival() async {
    await withCheckedContinuation { continuation in
      let hasArrived = state.withLock { state in
        guard state.arrivals == 0 else { return true }
        state.arrivalWaiters.append(continuation)
        return false
      }
      if hasArrived { continuation.resume() }
    }
  }

  /// Waits until the gate is open or the task is cancelled.
  public func pass() async {
    let (id, watchers) = state.withLock { state in
      state.arrivals += 1
      defer { state.arrivalWaiters = [] }
      return (state.arrivals, state.arrivalWaiters)
    }
    for watcher in watchers { watcher.resume() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mayPass = state.withLock { state in
          guard !state.isOpen, !Task.isCancelled else { return true }
          state.waiters[id] = continuation
          return false
        }
        if mayPass { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
  }

  /// Waits until the gate is open, whatever is cancelled.
  public func passForSure() async {
    // Owned by this wait, and not cancelled with it.
    let pass = Task { await self.pass() }
    await pass.value
  }

  /// Waits until either gate is open or the task is cancelled.
  static func pass(_ first: ScriptGate, or second: ScriptGate) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await first.pass() }
      group.addTask { await second.pass() }
      _ = await group.next()
      group.cancelAll()
    }
  }
}
