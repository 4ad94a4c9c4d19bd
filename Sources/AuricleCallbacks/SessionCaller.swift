import AuricleConsent
import AuricleRecognition
import AuricleSession

/// Runs the sessions of a layer, one at a time, and tells their callbacks.
///
/// Every method can be called from any thread, also from a callback, and waits for nothing unless it says so.
package final class SessionCaller: Sendable {
  /// An attempt and what belongs to it.
  private struct Attempt: Sendable {
    let number: Int
    let request: SessionRequest
    let callbacks: SessionCallbacks
    let consent = FirstAnswer<ConsentRecord?>()
    /// Given when the audio has ended, or will never begin.
    let ended = StopSignal()
  }

  private struct State {
    var slot = SessionSlot()
    var attempt: Attempt?
    var session: (any CallableSession)?
  }

  private let host: CallbackHost
  private let state = Guarded(State())

  /// Creates a caller for a layer.
  package init(host: CallbackHost) { self.host = host }

  /// Starts a session. The callbacks tell how that went.
  package func start(_ request: SessionRequest, _ callbacks: SessionCallbacks) {
    let attempt = state.withLock { state -> Attempt? in
      guard let number = state.slot.begin() else { return nil }
      let attempt = Attempt(number: number, request: request, callbacks: callbacks)
      state.attempt = attempt
      return attempt
    }
    guard let attempt else { return refuse(callbacks) }
    // Owned by the session: it ends with the last callback.
    Task { await run(attempt) }
  }

  private func refuse(_ callbacks: SessionCallbacks) {
    let busy = RecognitionError(.busy, "another recording is under way; stop it, and wait for its finish")
    // Owned by the refusal.
    Task { await tell(SessionFailure(busy), to: callbacks) }
  }

  /// Stops the session, if there is one for the purpose; harmless when repeated.
  /// - Returns: What is thrown when the audio has ended; `nil` when there is nothing to wait for.
  package func stop(_ purpose: SessionRequest.Purpose) -> StopSignal? {
    let (stop, attempt, session) = state.withLock { state -> (SessionSlot.Stop, Attempt?, (any CallableSession)?) in
      guard let attempt = state.attempt, attempt.request.purpose == purpose else { return (.nothing, nil, nil) }
      return (state.slot.stop(), attempt, state.session)
    }
    guard let attempt else { return nil }
    switch stop {
    case .nothing: break
    case .withdrawQuestion: attempt.consent.give(nil)
    case .stopSession:
      host.lane.post { attempt.callbacks.stateChanged(.stopping) }
      session?.stop()
    }
    return attempt.ended
  }

  /// The session that runs or starts; `nil` when there is none.
  package var session: (any CallableSession)? { state.withLock { $0.session } }

  /// Whether there is a session, or one is asked for.
  package var isActive: Bool { state.withLock { $0.slot.phase != .free } }

  private func run(_ attempt: Attempt) async {
    let callbacks = attempt.callbacks
    await host.lane.call { callbacks.stateChanged(.starting) }
    let session: any CallableSession
    do {
      session = try await open(attempt)
    } catch {
      leave(attempt)
      return await tell(error, to: callbacks, isState: true)
    }
    let audio = callbacks.audio.map { (session.audioReader(), $0) }
    do {
      try await session.start()
    } catch {
      await deliver(session, to: callbacks)
      leave(attempt)
      return await tell(error, to: callbacks, hasEvents: false, isState: true)
    }
    let isWanted = state.withLock { $0.slot.run(attempt.number) }
    if !isWanted { session.stop() }
    await host.lane.call {
      callbacks.didStart()
      if isWanted { callbacks.stateChanged(.recording) }
    }
    await follow(session, attempt, audio)
  }

  /// Asks for consent and makes the session; nothing is opened.
  private func open(_ attempt: Attempt) async throws(SessionFailure) -> any CallableSession {
    guard let environment = host.environment else { throw SessionFailure(.noEnvironment) }
    let answer = try await ask(attempt)
    let isWanted = state.withLock { $0.slot.open(attempt.number) }
    guard isWanted else { throw SessionFailure(.stopped) }
    guard let answer else { throw SessionFailure(.noConsent) }
    let session = attempt.request.open(try attempt.request.configure(answer), environment)
    state.withLock { $0.session = session }
    // A stop that came in between found no session.
    guard state.withLock({ $0.slot.phase == .starting }) else { throw SessionFailure(.stopped) }
    return session
  }

  /// A stop answers for those who have not.
  private func ask(_ attempt: Attempt) async throws(SessionFailure) -> ConsentRecord? {
    if let consent = attempt.request.consent { return consent }
    guard let question = host.consent else { throw SessionFailure(.noConsent) }
    // Owned by the attempt: whoever does not heed that it is cancelled answers to nobody.
    let asking = Task { attempt.consent.give(await question()) }
    defer { asking.cancel() }
    return await attempt.consent.wait()
  }

  private func follow(
    _ session: any CallableSession, _ attempt: Attempt, _ audio: (AudioReader, @Sendable ([UInt8]) -> Void)?
  ) async {
    let isKeptOnly = attempt.request.purpose == .audio
    async let ending = followAudio(session, attempt, audio, tells: !isKeptOnly)
    let finish = await deliver(session, to: attempt.callbacks)
    let end = await ending
    leave(attempt)
    if isKeptOnly {
      await tell(end, to: attempt.callbacks)
    } else if let finish {
      await host.lane.call { attempt.callbacks.result(finish) }
    }
  }

  /// Tells the audio, and its end if that is not the last call.
  private func followAudio(
    _ session: any CallableSession, _ attempt: Attempt, _ audio: (AudioReader, @Sendable ([UInt8]) -> Void)?,
    tells: Bool
  ) async -> AudioEnd {
    async let reading: Void = read(audio)
    let (reason, failure) = await session.audioEnd()
    let isByItself = state.withLock { $0.slot.endAudio(attempt.number) }
    attempt.ended.stop()
    await reading
    let end = AudioEnd(reason: reason, failure: failure, isByItself: isByItself)
    if tells { await tell(end, to: attempt.callbacks) }
    return end
  }

  private func tell(_ end: AudioEnd, to callbacks: SessionCallbacks) async {
    await host.lane.call {
      if let state = RecordingMachine.State(end) { callbacks.stateChanged(state) }
      callbacks.audioEnded(end.reason, end.failure)
      callbacks.stateChanged(.idle)
    }
  }

  private func read(_ audio: (AudioReader, @Sendable ([UInt8]) -> Void)?) async {
    guard let (read, take) = audio else { return }
    await read { [lane = host.lane] bytes in await lane.call { take(bytes) } }
  }

  /// Tells everything but the finish, which is returned.
  @discardableResult
  private func deliver(_ session: any CallableSession, to callbacks: SessionCallbacks) async -> SessionResult? {
    let finish = Guarded<SessionResult?>(nil)
    await session.deliver { delivery in
      switch delivery.result {
      case .recording: break
      case .finish: finish.withLock { $0 = delivery.result }
      case .transcript, .event, .failure: await self.host.lane.call { callbacks.result(delivery.result) }
      }
    }
    return finish.withLock { $0 }
  }

  /// The place is free before the last callback runs, so that it may start the next session.
  private func leave(_ attempt: Attempt) {
    state.withLock { state in
      state.slot.leave(attempt.number)
      guard state.attempt?.number == attempt.number else { return }
      state.attempt = nil
      state.session = nil
    }
    attempt.ended.stop()
  }

  /// Tells a start that failed. One that failed before there was a session has its two events from here.
  private func tell(
    _ failure: SessionFailure, to callbacks: SessionCallbacks, hasEvents: Bool = true, isState: Bool = false
  ) async {
    let now = host.environment?.wallClock()
    await host.lane.call {
      if hasEvents {
        for event in SessionEvent.failedStart(failure, at: now) { callbacks.result(.event(event)) }
      }
      if isState { callbacks.stateChanged(.idle) }
      callbacks.didNotStart(failure)
    }
  }
}

/// How the audio of a session ended.
private struct AudioEnd: Sendable {
  let reason: StopReason
  let failure: SessionFailure?
  /// Whether nobody asked for it.
  let isByItself: Bool
}

extension RecordingMachine.State {
  /// What a recording does between its last audio and the end: `nil` when that was told already.
  fileprivate init?(_ end: AudioEnd) {
    guard end.isByItself || end.reason == .interrupted else { return nil }
    self = end.reason == .interrupted ? .interrupted : .stopping
  }
}
