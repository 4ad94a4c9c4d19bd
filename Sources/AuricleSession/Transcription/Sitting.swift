import AuricleRecognition

/// One session with a provider, from the call for its recogniser to its last result; owns the task of it.
final class Sitting: Sendable {
  /// How a session ended.
  enum Ending: Sendable {
    /// It heard everything, and brought everything.
    case finished
    /// It failed.
    case failed(Setback)
    /// The recording could not be read any further.
    case unreadable(SessionFailure)
    /// It was given up; whoever did that knows.
    case cancelled
  }

  private struct State {
    var task: Task<Void, Never>?
    var isOpen = false
    var isCancelled = false
  }

  /// Counts the sessions of a transcription.
  let number: Int
  /// Who listens.
  let listener: Listener
  private let state = Guarded(State())
  private let over = StopSignal()

  /// Prepares a session; nothing happens yet.
  init(_ number: Int, with listener: Listener) {
    self.number = number
    self.listener = listener
  }

  /// Whether it delivers nothing any more.
  var isOver: Bool { over.isStopped }
  /// Whether the provider listened at some time.
  var wasOpen: Bool { state.withLock { $0.isOpen } }

  /// Begins. Called once, and before ``cancel()``.
  func begin(_ body: @escaping @Sendable () async -> Void) {
    let over = over
    // Owned by this session, and by whoever drives it: it is cancelled there, and waited for once it has been open.
    let task = Task {
      await body()
      over.stop()
    }
    state.withLock { $0.task = task }
  }

  /// The provider listens.
  /// - Returns: Whether it may; not when it was given up meanwhile.
  func open() -> Bool {
    state.withLock { state in
      if !state.isCancelled { state.isOpen = true }
      return state.isOpen
    }
  }

  /// Gives it up. A session that is not open yet never will be, whether the provider comes back from opening it or not.
  func cancel() {
    let (task, wasOpen) = state.withLock { state in
      state.isCancelled = true
      return (state.task, state.isOpen)
    }
    task?.cancel()
    if !wasOpen { over.stop() }
  }

  /// Waits until it delivers nothing any more, or the task is cancelled.
  func waitForEnd() async { _ = await over.wait() }

  /// Waits until it delivers nothing any more, whatever happens.
  func join() async {
    guard wasOpen, let task = state.withLock({ $0.task }) else { return }
    await task.value
  }
}
