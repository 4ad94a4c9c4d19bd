import AuricleAudio
import AuricleConsent
import AuricleRecognition

/// The driver of a session: decides with ``RecordingMachine`` under a lock, and acts after it, one step after the other, in the
/// order of the decisions, whoever made them.
///
/// What keeps it alive is who holds the session and, from the start to the finish, the one task that opens and runs it.
final class SessionCore: Sendable {
  /// What is to be done next.
  enum Step: Sendable {
    /// What the machine says.
    case act(RecordingMachine.Action)
    /// Tell of an event.
    case tell(SessionEvent)
    /// Tell of a failure.
    case fail(SessionFailure)
  }

  struct State: Sendable {
    var machine = RecordingMachine()
    var wasStarted = false
    /// Whether it was stopped before its start, which then fails.
    var isUnwanted = false
    /// Tells the time since somebody wanted the start.
    var elapsed: @Sendable () -> Duration = { .zero }
    /// Opens the source, until it is open.
    var opening: Task<Void, Never>?
    /// What is recorded, once that is known.
    var run: SessionRun?
    /// Events that were told before there was a run.
    var early: [SessionEvent] = []
    /// Who waits for the file, until it may be read.
    var taps: [AudioTap] = []
    var mayBeRead = false
    var startResult: Result<Void, SessionFailure>?
    var startWaiter: CheckedContinuation<Result<Void, SessionFailure>, Never>?
    /// Why the audio ends, as soon as that is decided.
    var reason: StopReason?
    /// What is behind that.
    var failure: SessionFailure?
    /// Whether it was told that the audio ends.
    var isEndTold = false
    var audioEnd: (reason: StopReason, failure: SessionFailure?)?
    var report: RecordingReport?
    var steps: [Step] = []
    var isActing = false
    /// Who waits until everything is done.
    var doneWaiters: [CheckedContinuation<Void, Never>] = []

    /// - Returns: What is to be done next; else who waited for that.
    mutating func nextStep() -> (step: Step?, waiters: [CheckedContinuation<Void, Never>]) {
      if !steps.isEmpty { return (steps.removeFirst(), []) }
      isActing = false
      defer { doneWaiters = [] }
      return (nil, doneWaiters)
    }
  }

  let configuration: SessionConfiguration
  let environment: SessionEnvironment
  let gate = ConsentGate()
  let results = ResultsQueue()
  let stop = StopSignal()
  let hurry = StopSignal()
  let abandon = StopSignal()
  /// Thrown when the start was told.
  let isRunning = StopSignal()
  /// Thrown when no more audio comes, or none ever will.
  let audioOver = StopSignal()
  let tapCount = TapCount()
  let state = Guarded(State())

  init(_ configuration: SessionConfiguration, environment: SessionEnvironment) {
    self.configuration = configuration
    self.environment = environment
  }

  var recordingState: RecordingMachine.State { state.withLock { $0.machine.state } }
  var opened: OpenedRecording? { state.withLock { $0.run?.opened } }
  var report: RecordingReport? { state.withLock { $0.report } }

  /// Decides, and sees to it that what was decided is done.
  func change(_ decide: (inout State) -> [Step]) {
    let mustAct = state.withLock { state in
      let steps = decide(&state)
      state.steps += steps
      guard !state.isActing, !state.steps.isEmpty else { return false }
      state.isActing = true
      return true
    }
    if mustAct { act() }
  }

  private func act() {
    while true {
      let (step, waiters) = state.withLock { $0.nextStep() }
      for waiter in waiters { waiter.resume() }
      guard let step else { return }
      perform(step)
    }
  }

  /// Waits until everything that was decided is done.
  func allDone() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.isActing { state.doneWaiters.append(continuation) }
        return !state.isActing
      }
      if isDone { continuation.resume() }
    }
  }

  private func perform(_ step: Step) {
    switch step {
    case .tell(let event): tell(event)
    case .fail(let failure): state.withLock { $0.run }?.desk.tell(failure)
    case .act(.open): open()
    case .act(.tellStarted): tellStarted()
    case .act(.tellStartFailed): tellStartFailed()
    case .act(.hold), .act(.release): break  // Done at once by who decides it.
    case .act(.close): close()
    case .act(.tellEnded(let reason)): tellAudioEnd(reason)
    }
  }

  /// Tells through the run, once there is one; before that, straight to the reader.
  private func tell(_ event: SessionEvent) {
    let run: SessionRun? = state.withLock { $0.run }
    if let run { return run.desk.tell(event) }
    var event = event
    event.moment = event.moment ?? moment()
    state.withLock { [event] in $0.early.append(event) }
    results.put(SessionDelivery(emitted: 0, result: .event(event)))
  }

  /// Now, as events have it.
  func moment() -> SessionEvent.Moment {
    SessionEvent.Moment(
      millisecondsSince1970: environment.wallClock().millisecondsSince1970,
      sessionSeconds: state.withLock { $0.elapsed }() / .seconds(1))
  }

  private func close() {
    stop.stop()
    let opening = state.withLock { state in
      defer { state.opening = nil }
      return state.opening
    }
    opening?.cancel()
  }

  private func tellStarted() {
    let (run, taps) = state.withLock { state in
      state.mayBeRead = true
      defer { state.taps = [] }
      return (state.run, state.taps)
    }
    guard let run else { preconditionFailure("a recording that started has a run") }
    for tap in taps { tap.open(run.makeTail()) }
    tell(SessionEvent(.sessionStarted, time: 0, evidence: "the source is open, and the files are there"))
    settle(.success(()))
    isRunning.stop()
  }

  private func tellStartFailed() {
    gate.withdraw()
    let failure = state.withLock { $0.failure } ?? SessionFailure(Self.stopped)
    let error = SessionEvent.Failure(failure)
    tell(SessionEvent(.sessionStartFailed, time: 0, evidence: failure.message, error: error))
    results.finish()
    endAudio(.unknown, failure)
    settle(.failure(failure))
  }

  static let stopped = RecognitionError(.cancelled, "it was stopped before it had started")

  private func settle(_ result: Result<Void, SessionFailure>) {
    let waiter = state.withLock { state in
      state.startResult = result
      defer { state.startWaiter = nil }
      return state.startWaiter
    }
    waiter?.resume(returning: result)
  }

  private func tellAudioEnd(_ reason: StopReason) { endAudio(reason, state.withLock { $0.failure }) }

  private func endAudio(_ reason: StopReason, _ failure: SessionFailure?) {
    let taps = state.withLock { state in
      state.audioEnd = (reason, failure)
      defer { state.taps = [] }
      return state.taps
    }
    for tap in taps { tap.close() }
    audioOver.stop()
  }

  func audioEnd() async -> (reason: StopReason, failure: SessionFailure?) {
    _ = await audioOver.wait()
    return state.withLock { $0.audioEnd } ?? (.unknown, nil)
  }

  /// A reader of the file, as soon as that is there.
  func makeTap() -> AudioTap {
    let tap = AudioTap(tapCount)
    let (run, isOver) = state.withLock { state in
      let isOver = state.audioEnd != nil
      if !state.mayBeRead, !isOver { state.taps.append(tap) }
      return (state.mayBeRead ? state.run : nil, isOver)
    }
    if let run { tap.open(run.makeTail()) } else if isOver { tap.close() }
    return tap
  }
}
