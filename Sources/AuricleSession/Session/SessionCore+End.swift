import AuricleConsent
import AuricleRecognition

extension SessionCore.State {
  /// Where the next frame stands, in seconds.
  fileprivate var position: Double { run?.position() ?? 0 }

  /// Ends the audio; nothing when it ends already.
  fileprivate mutating func leave(
    _ reason: StopReason, _ failure: SessionFailure?, evidence: String?, isTold: Bool = true
  ) -> [SessionCore.Step] {
    let actions = machine.handle(Self.input(reason, failure))
    guard !actions.isEmpty else {
      if !wasStarted { isUnwanted = true }
      return []
    }
    self.reason = reason
    self.failure = self.failure ?? failure
    guard run != nil else { return actions.map(SessionCore.Step.act) }
    let news = failure.map { [SessionCore.Step.fail($0)] } ?? []
    let end = isTold ? tellEnd(reason, failure, evidence: evidence) : []
    return news + end + actions.map(SessionCore.Step.act)
  }

  /// Ends a start before anything is opened.
  mutating func takeBack() -> [SessionCore.Step] {
    let actions = machine.handle(.stop(.userInitiated)) + machine.handle(.closed)
    return actions.map(SessionCore.Step.act)
  }

  /// Tells, once, who wanted the end.
  fileprivate mutating func tellEnd(
    _ reason: StopReason, _ failure: SessionFailure?, evidence: String?
  ) -> [SessionCore.Step] {
    guard !isEndTold else { return [] }
    isEndTold = true
    let isWanted = reason == .userInitiated
    return [
      .tell(
        SessionEvent(
          isWanted ? .userInitiatedToEndSession : .autoEndSessionTriggered, time: position,
          details: isWanted ? [:] : ["reason": reason.name], evidence: evidence ?? failure?.message,
          error: failure.map { SessionEvent.Failure($0) }))
    ]
  }

  private static func input(_ reason: StopReason, _ failure: SessionFailure?) -> RecordingMachine.Input {
    switch reason {
    case .interrupted: .interrupt
    case .userInitiated: .stop(reason)
    default: failure == nil ? .end(reason) : .fail(reason)
    }
  }
}

extension SessionCore {
  /// At once, and not as a step: nothing is heard any more when this returns.
  func pause() {
    state.withLock { state in
      if state.machine.handle(.pause) == [.hold] { gate.pause() }
    }
  }

  func resume() {
    state.withLock { state in
      if state.machine.handle(.resume) == [.release] { gate.resume() }
    }
  }

  func end(_ reason: StopReason, _ failure: SessionFailure?) {
    change { $0.leave(reason, failure, evidence: failure?.message ?? "an end was asked for") }
  }

  /// - Parameter ifStarting: Whether an attempt that has started goes on.
  func leave(_ reason: StopReason, ifStarting: Bool) {
    change { state in
      guard !ifStarting || state.machine.state == .starting else { return [] }
      return state.leave(reason, nil, evidence: nil)
    }
  }

  func interrupt(_ reason: InterruptionReason) {
    change { state in
      let event = SessionEvent(
        .interruptionBegan, time: state.position, details: ["reason": reason.name],
        evidence: "the device reported it")
      let hasStarted = state.run != nil
      let steps = state.leave(.interrupted, nil, evidence: "the source was taken away: \(reason.name)")
      return steps.isEmpty || !hasStarted ? steps : [.tell(event)] + steps
    }
  }

  func cancel() {
    end(.userInitiated, nil)
    hurry.stop()
    abandon.stop()
  }

  /// The gate shuts at once. Where a source gives nothing any more, nobody would notice: so the audio is ended as well.
  func withdrawConsent() {
    gate.withdraw()
    let missing = RecognitionError(.consentMissing, "consent was withdrawn before it had started")
    change { state in
      if state.run == nil { state.failure = state.failure ?? SessionFailure(missing) }
      // The run tells of the withdrawal first, and then of the end.
      return state.leave(.userInitiated, nil, evidence: nil, isTold: false)
    }
  }

  func appWillTerminate() {
    hurry.stop()
    change { state in
      guard state.machine.isActive || state.run != nil, state.report == nil else { return [] }
      let event = SessionEvent(.appWillTerminate, time: state.position, evidence: "the program said so")
      return [.tell(event)] + state.leave(.interrupted, nil, evidence: "the program is about to end")
    }
  }

  func tellFromOutside(_ event: SessionEvent) {
    change { $0.run == nil ? [] : [.tell(event)] }
  }

  /// Nobody can stop it any more.
  func letGo() {
    change { $0.leave(.interrupted, nil, evidence: "nobody holds the session any more") }
  }

  /// No more audio is taken: the run came to an end by itself, or because it was told to.
  ///
  /// Comes back when everything that was decided by now is done, by whoever does it, since what is told later may come too
  /// late for the report.
  func runEnds(_ end: PumpEnd) async {
    change { state in
      // The run tells of its failure itself.
      let actions = state.leave(end.reason, nil, evidence: nil, isTold: false)
      state.failure = state.failure ?? end.failure
      return state.tellEnd(state.reason ?? end.reason, end.failure, evidence: end.evidence) + actions
    }
    await allDone()
  }

  /// The file is closed.
  /// - Returns: The reason that counts: whoever wanted the end first.
  func runClosed(_ end: PumpEnd) -> StopReason {
    change { state in
      state.failure = state.failure ?? end.failure
      return state.machine.handle(.closed).map(Step.act)
    }
    return state.withLock { $0.reason } ?? end.reason
  }

  func selectProvider(_ vendor: String) throws(SessionFailure) {
    let run: SessionRun? = state.withLock { $0.run }
    guard let run else {
      throw SessionFailure(RecognitionError(.contextInactive, "nothing is recorded; select a provider to start with"))
    }
    guard let speech = run.speech else {
      throw SessionFailure(RecognitionError(.notSupported, "this recording has no text; start another one"))
    }
    try speech.select(vendor)
  }
}
