import AuricleRecognition

/// Tells a device one thing after the other, and waits for no answer longer than it may take.
final class DeviceCommands: Sendable {
  /// One thing that a device is told.
  struct Command: Sendable {
    /// Whether it has a recording begin: a stop gives it up.
    var isStart = false
    let body: @Sendable () async throws(DeviceError) -> Void
    /// Told what came of it, once; `nil` for a success.
    let completion: @Sendable (DeviceError?) -> Void
  }

  private struct State {
    var waiting: [Command] = []
    var isRunning = false
    /// The answer that is waited for.
    var current: (isStart: Bool, answer: Answer)?
  }

  private let limit: Duration
  private let clock: any Clock<Duration>
  private let state = Guarded(State())

  /// - Parameters:
  ///   - limit: How long an answer may take.
  ///   - clock: Keeps the limit.
  init(limit: Duration, clock: any Clock<Duration>) {
    self.limit = limit
    self.clock = clock
  }

  /// Has the device told, behind what waits.
  func add(_ command: Command) {
    let isIdle = state.withLock { state in
      state.waiting.append(command)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    // Owned by the commands that wait: it ends with the last of them, each of which has its limit.
    if isIdle { Task { await run() } }
  }

  /// Gives up every start that waits or runs.
  func cancelStarts() { cancel(.wasStopped) { $0 } }

  /// Gives up everything that waits or runs: the device is not there.
  func cancelAll() { cancel(.isGone) { _ in true } }

  private func cancel(_ error: DeviceError, where isMeant: (_ isStart: Bool) -> Bool) {
    let (commands, current) = state.withLock { state in
      let commands = state.waiting.filter { isMeant($0.isStart) }
      state.waiting.removeAll { isMeant($0.isStart) }
      return (commands, state.current.flatMap { isMeant($0.isStart) ? $0.answer : nil })
    }
    for command in commands { command.completion(error) }
    current?.cancel()
  }

  private func run() async {
    while let (command, answer) = next() {
      command.completion(await answer.wait())
    }
  }

  /// Begins the next command.
  private func next() -> (Command, Answer)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        (state.isRunning, state.current) = (false, nil)
        return nil
      }
      let command = state.waiting.removeFirst()
      let answer = Answer(command.body, limit: limit, clock: clock)
      state.current = (command.isStart, answer)
      return (command, answer)
    }
  }
}

/// What a device answers, or that it does not.
private final class Answer: Sendable {
  private struct State {
    var isThere = false
    var error: DeviceError?
    var reader: CheckedContinuation<DeviceError?, Never>?
    var question: Task<Void, Never>?
    var timer: Task<Void, Never>?
  }

  private let state = Guarded(State())

  init(_ body: @escaping @Sendable () async throws(DeviceError) -> Void, limit: Duration, clock: any Clock<Duration>) {
    // Both owned by this answer, which cancels them when it is there. Who ignores that costs nobody anything.
    let question = Task {
      do throws(DeviceError) {
        try await body()
        give(nil)
      } catch {
        give(error)
      }
    }
    let timer = Task {
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      give(DeviceError(.timedOut, "the device did not answer in time; try again"))
    }
    let isThere = state.withLock { state in
      if !state.isThere { (state.question, state.timer) = (question, timer) }
      return state.isThere
    }
    if isThere {
      question.cancel()
      timer.cancel()
    }
  }

  /// Asks for an early end; what the device says to that is the answer.
  func cancel() {
    let question = state.withLock { $0.question }
    question?.cancel()
  }

  func wait() async -> DeviceError? {
    await withCheckedContinuation { continuation in
      let (isThere, error) = state.withLock { state in
        if !state.isThere { state.reader = continuation }
        return (state.isThere, state.error)
      }
      if isThere { continuation.resume(returning: error) }
    }
  }

  /// The first one counts.
  private func give(_ error: DeviceError?) {
    let before = state.withLock { state in
      let before = state
      if !state.isThere { state = State(isThere: true, error: error) }
      return before
    }
    guard !before.isThere else { return }
    before.question?.cancel()
    before.timer?.cancel()
    before.reader?.resume(returning: error)
  }
}
