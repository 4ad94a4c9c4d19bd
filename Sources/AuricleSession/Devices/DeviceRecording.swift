import AuricleRecognition

/// One normal recording that a device makes by itself: nobody hears it here, and its file stays on the device.
///
/// It starts or fails to, once, and one that started ends once, whatever the device says or leaves unsaid: a device that is
/// away for longer than the grace ends it as disconnected; one that is back before that goes on. Every method can be called
/// from any thread; none but those that are `async` waits for anything.
public final class DeviceRecording: Sendable {
  /// How a recording ended.
  public typealias End = (reason: StopReason, failure: SessionFailure?)

  private struct State {
    var life = DeviceRecordingLife()
    var steps: [DeviceRecordingLife.Action] = []
    var isActing = false
    var starter: CheckedContinuation<DeviceError?, Never>?
    var end: End?
    var timer: Task<Void, Never>?
    var reader: Task<Void, Never>?
  }

  /// The device.
  public let device: any RecordingDevice
  private let policy: DevicePolicy
  private let clock: any Clock<Duration>
  private let commands: DeviceCommands
  private let state = Guarded(State())
  private let ended = StopSignal()

  /// Describes a recording that has not begun.
  /// - Parameters:
  ///   - device: The device; it must be able to record by itself.
  ///   - policy: How patient one is with it.
  ///   - clock: Measures how long it takes.
  public init(
    device: any RecordingDevice, policy: DevicePolicy = DevicePolicy(), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.device = device
    self.policy = policy
    self.clock = clock
    commands = DeviceCommands(limit: policy.answer, clock: clock)
    let events = device.events()
    // Owned by this recording, whose end cancels it.
    let reader = Task { [weak self] in
      for await event in events { self?.hear(event) }
    }
    state.withLock { $0.reader = reader }
  }

  deinit {
    let (reader, timer) = state.withLock { ($0.reader, $0.timer) }
    reader?.cancel()
    timer?.cancel()
  }

  /// Has the device begin, and waits until it has.
  /// - Throws: Of the device's domain: why it did not begin; of kind `busy` when it was begun before.
  public func start() async throws(SessionFailure) {
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { begin($0) }
    } onCancel: {
      stop()
    }
    if let error { throw SessionFailure(error) }
  }

  private func begin(_ caller: CheckedContinuation<DeviceError?, Never>) {
    let refusal: DeviceError? = change { state in
      let actions = state.life.handle(.start)
      if case .refuse(let error) = actions.first { return error }
      state.starter = caller
      state.steps += actions
      return nil
    }
    if let refusal { return caller.resume(returning: refusal) }
    // A cancellation before it began found nothing to stop.
    if Task.isCancelled { stop() }
  }

  /// Has the device end. Harmless when repeated, and when nothing is recorded.
  public func stop() { handle(.stop) }

  /// Waits for the end of a recording that started.
  public func end() async -> End {
    _ = await ended.wait()
    return state.withLock { $0.end } ?? (.unknown, nil)
  }

  private func hear(_ event: DeviceEvent) {
    handle(.device(event))
    if event == .disconnected { commands.cancelAll() }
  }

  private func handle(_ input: DeviceRecordingLife.Input) {
    change { state in state.steps += state.life.handle(input) }
  }

  /// Changes the state, then does what is to be done, in order, by whichever thread is at it already.
  private func change<Value>(_ body: (inout State) -> Value) -> Value {
    let value = state.withLock { body(&$0) }
    while let step = nextStep() {
      perform(step)
      state.withLock { $0.isActing = false }
    }
    return value
  }

  private func nextStep() -> DeviceRecordingLife.Action? {
    state.withLock { state in
      guard !state.isActing, !state.steps.isEmpty else { return nil }
      state.isActing = true
      return state.steps.removeFirst()
    }
  }

  private func perform(_ action: DeviceRecordingLife.Action) {
    switch action {
    case .refuse: break
    case .startDevice: startDevice()
    case .stopDevice: stopDevice()
    case .tellStarted: answerStarter(nil)
    case .tellStartFailed(let error): answerStarter(error)
    case .wait(let number, let wait): startWait(number, wait)
    case .finish(let reason, let error): finish((reason, error.map { SessionFailure($0) }))
    }
  }

  private func startDevice() {
    commands.add(
      DeviceCommands.Command(
        isStart: true, body: { [device] () throws(DeviceError) in try await device.requestStart() },
        completion: { error in self.handle(error.map { .startFailed($0) } ?? .started) }))
  }

  /// A start that is under way is given up for it.
  private func stopDevice() {
    commands.cancelStarts()
    commands.add(
      DeviceCommands.Command(
        body: { [device] () throws(DeviceError) in try await device.requestStop() },
        completion: { error in self.handle(.stopAnswered(error)) }))
  }

  private func answerStarter(_ error: DeviceError?) {
    let caller = state.withLock { state in
      defer { state.starter = nil }
      return state.starter
    }
    caller?.resume(returning: error)
  }

  private func startWait(_ number: Int, _ wait: DeviceRecordingLife.Wait) {
    let limit =
      switch wait {
      case .reconnection: policy.grace
      case .end: policy.answer
      }
    // Owned by this recording; the next wait, or its end, cancels it.
    let timer = Task { [weak self, clock] in
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      self?.handle(.waited(number))
    }
    let before = state.withLock { state in
      defer { state.timer = timer }
      return state.timer
    }
    before?.cancel()
  }

  private func finish(_ end: End) {
    let timer = state.withLock { state in
      state.end = end
      return state.timer
    }
    timer?.cancel()
    ended.stop()
  }
}
