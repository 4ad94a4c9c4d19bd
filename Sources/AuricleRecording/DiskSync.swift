import Dispatch

/// Gives a file to the disk beside the recording, which never waits for it: a disk may take seconds to answer.
///
/// One call is under way at most. Its failure is kept for whoever records to find.
final class DiskSync: Sendable {
  private struct State: Sendable {
    var isRunning = false
    var failure: SystemError?
  }

  // A serial queue of its own has a thread of its own, however busy the shared ones are.
  private let queue = DispatchQueue(label: "auricle.sync", qos: .utility)
  private let state = Locked(State())

  /// What went wrong since this was last asked.
  func takeFailure() -> SystemError? {
    state.withLock { state in
      defer { state.failure = nil }
      return state.failure
    }
  }

  /// Begins, unless a call is under way.
  /// - Parameter onDone: Called on another thread, when all that was written before is on the disk.
  func begin(_ file: OpenFile, onDone: @escaping @Sendable () -> Void) {
    let isFree = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isFree else { return }
    queue.async { [state] in
      var failure: SystemError?
      do throws(SystemError) { try file.sync() } catch { failure = error }
      if failure == nil { onDone() }
      state.withLock { state in
        state.isRunning = false
        state.failure = state.failure ?? failure
      }
    }
  }

  /// Waits for the call that is under way.
  func wait() { queue.sync {} }
}
