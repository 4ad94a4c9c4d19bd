import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuricleRecognition

/// Looks after one device: brings it and a session together, whoever begins, and in the order that both need.
///
/// It decides as ``DeviceLifecycle`` says, and acts after that. Every method can be called from any thread; none but those
/// that are `async` waits for anything. Listeners are told on a thread of their own.
public final class DeviceCoordinator: Sendable {
  /// Something to be done outside the lock.
  fileprivate enum Step: Sendable {
    /// The next attempt has its turn: everything of the one before is done.
    case begin(any DeviceSession, Caller)
    case act(DeviceLifecycle.Action, generation: Int)
    case tell(DeviceNews)
  }

  /// A caller that waits for what comes of it.
  typealias Caller = CheckedContinuation<SessionFailure?, Never>

  struct State {
    var lifecycle: DeviceLifecycle
    fileprivate var steps: [Step] = []
    fileprivate var isActing = false
    /// The session of the latest attempt.
    var session: (any DeviceSession)?
    /// Whether it runs and is kept.
    var isKept = false
    /// The device's audio, as the session reads it.
    var source: ReconnectingSource?
    /// Who waits for the start.
    var starter: Caller?
    /// Who waits for reports of theirs, in order.
    var reporters: [Caller] = []
    /// The wait that counts.
    var timer: Task<Void, Never>?
    var reader: Task<Void, Never>?
  }

  /// The device.
  public let device: any RecordingDevice
  /// How patient it is.
  public let policy: DevicePolicy
  let eligibility: DeviceEligibility
  let clock: any Clock<Duration>
  let listeners = DeviceListeners()
  let commands: DeviceCommands
  let guarded: Guarded<State>
  let closed = StopSignal()

  /// Looks after a device from now on, until ``close()``.
  /// - Parameters:
  ///   - device: The device. Nobody else may start and stop it.
  ///   - policy: How patient one is with it.
  ///   - eligibility: Whether a recording may be offered that it asks for.
  ///   - clock: Measures how long it takes.
  public init(
    device: any RecordingDevice, policy: DevicePolicy = DevicePolicy(), eligibility: DeviceEligibility,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.device = device
    self.policy = policy
    self.eligibility = eligibility
    self.clock = clock
    commands = DeviceCommands(limit: policy.answer, clock: clock)
    guarded = Guarded(
      State(lifecycle: DeviceLifecycle(canPause: device.abilities.contains(.pause), handling: policy.handling)))
    let events = device.events()
    // Owned by this coordinator, whose close or end cancels it.
    let reader = Task { [weak self] in
      for await event in events { self?.heard(event) }
    }
    guarded.withLock { $0.reader = reader }
  }

  deinit {
    let (reader, timer) = guarded.withLock { ($0.reader, $0.timer) }
    reader?.cancel()
    timer?.cancel()
    listeners.close()
  }

  /// How device and session stand.
  public var state: DeviceLifecycle.State { guarded.withLock { $0.lifecycle.state } }

  /// The request of the device that a start may answer now.
  public var pendingRequest: DeviceStartRequest? { guarded.withLock { $0.lifecycle.pendingRequest } }

  /// The session that runs and is kept; `nil` otherwise.
  package var keptSession: (any DeviceSession)? { guarded.withLock { $0.isKept ? $0.session : nil } }

  /// Has somebody told what happens, from now on.
  /// - Parameter body: Called for one thing after the other, on a thread of its own.
  /// - Returns: What ends it; so does ``close()``. To let go of it ends nothing.
  @discardableResult
  public func listen(_ body: @escaping @Sendable (DeviceNews) -> Void) -> DeviceListening { listeners.add(body) }

  /// How much longer the audio waits for the device than the recording does: a loss that both see is told once. What breaks
  /// off without the device's loss being told ends when this is over.
  private static let margin = Duration.seconds(1)

  /// Opens the device as the input of a session: for `SessionEnvironment.openInput`.
  ///
  /// Its audio begins when the device does, goes on when the device comes back within the grace, and ends when the
  /// session says so.
  public func openInput(_ route: AudioRoute?, _ gate: ConsentGate) async throws -> SessionInput {
    let source = ReconnectingSource(format: device.audioFormat, grace: policy.grace + Self.margin, clock: clock) {
      [device] in try await device.openAudio()
    }
    guarded.withLock { $0.source = source }
    try await source.prepare()
    return SessionInput(
      recording: RecordingInput(source: GatedSource(source, gate: gate), end: { source.end() }),
      device: ReportDevice(name: device.id, description: device.name))
  }

  /// Begins a recording, and waits until both sides run.
  /// - Parameters:
  ///   - session: A session that was not started, whose input is ``openInput(_:_:)``.
  ///   - scene: Where people speak.
  ///   - requestID: The request of the device that this answers; `nil` for a recording of the program's own.
  /// - Throws: Why it did not begin: of the device's domain, of kind `busy` while another one is under way, of kind
  ///   `requestUnknown` or `requestExpired` for a request that is not ``pendingRequest``; or what the session threw. A
  ///   session that had started ends.
  package func start(
    _ session: any DeviceSession, scene: SessionConfiguration.Scene, answering requestID: String? = nil
  ) async throws(SessionFailure) {
    let generation = Guarded<Int?>(nil)
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        begin(session, scene, requestID, caller) { number in generation.withLock { $0 = number } }
      }
    } onCancel: {
      // Only the attempt of this call.
      if let generation = generation.withLock({ $0 }) { handle(.stop, generation: generation) }
    }
    if let failure { throw failure }
  }

  private func begin(
    _ session: any DeviceSession, _ scene: SessionConfiguration.Scene, _ requestID: String?, _ caller: Caller,
    onBegin: (Int) -> Void
  ) {
    let refusal = change { state in
      let place = state.steps.count
      let refusal = state.apply(.start(scene, requestID: requestID))
      if refusal == nil {
        state.steps.insert(.begin(session, caller), at: place)
        onBegin(state.lifecycle.generation)
      }
      return refusal
    }
    if let refusal { caller.resume(returning: SessionFailure(refusal)) }
    // A cancellation before the attempt began found nothing to stop.
    if refusal == nil, Task.isCancelled { stop() }
  }

  /// Ends the recording: the device first, then the session. Harmless when there is none.
  public func stop() { handle(.stop) }

  /// Takes nothing until it is resumed. Harmless when nothing runs.
  public func pause() { handle(.pause) }

  /// Takes audio again. Harmless when nothing is paused.
  public func resume() { handle(.resume) }

  /// Tells the device that the recording that it asked for runs, and waits for its answer.
  /// - Throws: Of the device's domain, of kind `notAsked` in a session of the program's own, `notHappened`,
  ///   `alreadyReported`, or what the device answers.
  public func reportStartSuccess(_ scene: SessionConfiguration.Scene) async throws(SessionFailure) {
    try await report(.reportStarted(scene))
  }

  /// Tells the device that the recording that it asked for has stopped, and waits for its answer.
  /// - Throws: As ``reportStartSuccess(_:)``.
  public func reportStopped() async throws(SessionFailure) { try await report(.reportStopped) }

  private func report(_ input: DeviceLifecycle.Input) async throws(SessionFailure) {
    let failure = await withCheckedContinuation { caller in
      let refusal = change { state in
        let refusal = state.apply(input)
        if refusal == nil { state.reporters.append(caller) }
        return refusal
      }
      if let refusal { caller.resume(returning: SessionFailure(refusal)) }
    }
    if let failure { throw failure }
  }

  /// Leaves the device: listeners hear nothing from here on, a recording that is under way is stopped and waited for.
  ///
  /// Harmless when repeated. When its task is cancelled it does not wait.
  public func close() async {
    listeners.close()
    handle(.close)
    _ = await closed.wait()
  }

  private func heard(_ event: DeviceEvent) {
    if case .recordingEnded(let reason) = event { listeners.post(.normalRecordingEnded(reason)) }
    handle(.device(event))
    if event == .disconnected { commands.cancelAll() }
  }

  /// Decides, and acts after it.
  /// - Parameter generation: The attempt that the input belongs to; `nil` for the latest.
  func handle(_ input: DeviceLifecycle.Input, generation: Int? = nil) {
    change { state in _ = state.apply(input, generation: generation) }
  }

  /// Changes the state, then does what is to be done, in order, by whichever thread is at it already.
  private func change<Value>(_ body: (inout State) -> Value) -> Value {
    let value = guarded.withLock { body(&$0) }
    while let step = nextStep() {
      switch step {
      case .begin(let session, let caller):
        guarded.withLock { ($0.session, $0.isKept, $0.source, $0.starter) = (session, false, nil, caller) }
      case .act(let action, let generation): perform(action, generation)
      case .tell(let news): listeners.post(news)
      }
      guarded.withLock { $0.isActing = false }
    }
    return value
  }

  private func nextStep() -> Step? {
    guarded.withLock { state in
      guard !state.isActing, !state.steps.isEmpty else { return nil }
      state.isActing = true
      return state.steps.removeFirst()
    }
  }
}

extension DeviceCoordinator.State {
  /// Lets the machine decide.
  /// - Returns: Why it refused.
  mutating func apply(_ input: DeviceLifecycle.Input, generation: Int? = nil) -> DeviceError? {
    let before = lifecycle.state
    let actions = lifecycle.handle(input, generation: generation ?? lifecycle.generation)
    if case .refuse(let error) = actions.first { return error }
    if lifecycle.state != before { steps.append(.tell(.state(lifecycle.state))) }
    for action in actions { steps.append(.act(action, generation: lifecycle.generation)) }
    return nil
  }
}
