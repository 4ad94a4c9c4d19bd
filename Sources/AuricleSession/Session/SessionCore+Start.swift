import AuricleAudio
import AuricleConsent
import AuricleRecognition

extension SessionCore {
  /// Starts, once. See ``RecordingSession/start()``.
  func start() async throws(SessionFailure) {
    guard begin() else {
      throw SessionFailure(RecognitionError(.busy, "a session is started once; make another one"))
    }
    let result = await withTaskCancellationHandler {
      await startResult()
    } onCancel: {
      leave(.userInitiated, ifStarting: true)
    }
    try result.get()
  }

  /// - Returns: Whether it is the first time.
  private func begin() -> Bool {
    let elapsed = RunLife.stopwatch(environment.clock)
    var isFirst = false
    change { state in
      guard !state.wasStarted else { return [] }
      isFirst = true
      state.wasStarted = true
      state.elapsed = elapsed
      let event = SessionEvent(.userInitiatedToStart, time: 0, evidence: "start was called")
      let actions = state.machine.handle(.start).map(Step.act)
      return [.tell(event)] + (state.isUnwanted ? state.takeBack() : actions)
    }
    return isFirst
  }

  private func startResult() async -> Result<Void, SessionFailure> {
    await withCheckedContinuation { continuation in
      let result = state.withLock { state in
        if state.startResult == nil { state.startWaiter = continuation }
        return state.startResult
      }
      if let result { continuation.resume(returning: result) }
    }
  }

  /// Looks at the configuration, and opens the source beside whoever asked for that.
  func open() {
    let plan: SessionPlan
    do {
      plan = try SessionPlan(configuration, in: environment)
      try grantConsent()
    } catch {
      return failStart(error)
    }
    // Owned by the session until the source is open, and cancelled when it is stopped before that; then by itself, up to
    // the finish.
    let task = Task.detached { await self.openAndRun(plan) }
    let isLate = state.withLock { state in
      if state.machine.state == .starting, state.run == nil { state.opening = task }
      return state.machine.state == .stopping && state.run == nil
    }
    // Stopped while the configuration was looked at: nobody else knows the task.
    if isLate { task.cancel() }
  }

  private func grantConsent() throws(SessionFailure) {
    do {
      try gate.grant(configuration.consent)
    } catch {
      throw SessionFailure(RecognitionError(.consentMissing, error.message))
    }
  }

  private func failStart(_ failure: SessionFailure) {
    change { state in
      state.failure = state.failure ?? failure
      return state.machine.handle(.startFailed).map(Step.act)
    }
  }

  private func openAndRun(_ plan: SessionPlan) async {
    do {
      let run = try await openAll(plan)
      _ = await isRunning.wait()
      await run.run { self.take($0) }
      results.finish()
    } catch {
      failStart(error)
      change { state in
        state.opening = nil
        return state.machine.handle(.closed).map(Step.act)
      }
    }
  }

  /// Opens everything. What was opened too late is closed again, and nothing is left of it.
  private func openAll(_ plan: SessionPlan) async throws(SessionFailure) -> SessionRun {
    let input: SessionInput
    do {
      input = try await environment.openInput(configuration.route, gate)
    } catch {
      throw Self.failure(ofOpening: error)
    }
    do throws(SessionFailure) {
      guard recordingState == .starting else { throw SessionFailure(Self.stopped) }
      return try adopted(input, plan)
    } catch {
      input.recording.end?()
      throw error
    }
  }

  private func adopted(_ input: SessionInput, _ plan: SessionPlan) throws(SessionFailure) -> SessionRun {
    let startTime = environment.wallClock()
    let files: SessionFiles
    do {
      let isRead = configuration.wantsTranscript || !tapCount.isEmpty
      files = try environment.makeFiles(
        SessionFilesRequest(startTime: startTime, audio: input.recording.source.format, isRead: isRead))
    } catch {
      throw SessionFailure(fromRecording: error)
    }
    let run = makeRun(input, files, plan, startTime)
    run.begin()
    guard adopt(run) else {
      files.discard()
      throw SessionFailure(Self.stopped)
    }
    return run
  }

  /// - Returns: Whether it was not too late.
  private func adopt(_ run: SessionRun) -> Bool {
    var isInTime = false
    change { state in
      guard state.machine.state == .starting else { return [] }
      isInTime = true
      state.run = run
      state.opening = nil
      return state.machine.handle(.started).map(Step.act)
    }
    return isInTime
  }

  private func take(_ delivery: SessionDelivery) {
    if case .finish(let report) = delivery.result { state.withLock { $0.report = report } }
    results.put(delivery)
  }

  private static func failure(ofOpening error: any Error) -> SessionFailure {
    switch error {
    case is CancellationError: SessionFailure(stopped)
    case let error as RecognitionError: SessionFailure(error)
    default: SessionFailure(fromSource: error)
    }
  }
}
