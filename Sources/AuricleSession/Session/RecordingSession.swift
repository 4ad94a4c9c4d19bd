import AuricleConsent
import AuricleRecognition

/// One recording with everything around it: a configuration goes in; words, events, failures and one report come out.
///
/// It has two ends. The audio ends first, with a reason: ``audioEnd()``. The session ends when its report is there, which is
/// the last of its ``results``; between the two it waits a bounded time for the last words. Nothing is heard before the
/// consent of the configuration has opened the gate.
///
/// A session is started once. Every method can be called from any thread, also by who reads the results, and only those that
/// say so wait. What is late or repeated does nothing. A recording that nobody holds any more, neither the session nor one of
/// its streams, ends as interrupted: nobody could stop it.
public final class RecordingSession: Sendable {
  let core: SessionCore

  /// Prepares a session; nothing happens yet.
  /// - Parameters:
  ///   - configuration: What is to be recorded, and how.
  ///   - environment: Where the sound, the files, the recognisers and the time come from.
  public init(_ configuration: SessionConfiguration, environment: SessionEnvironment) {
    core = SessionCore(configuration, environment: environment)
  }

  deinit { core.letGo() }

  /// What the audio does. Where the last words are still waited for, it is idle.
  public var state: RecordingMachine.State { core.recordingState }

  /// Whether the audio of this session has come to its end, or never had a beginning: another session may begin.
  public var isAudioOver: Bool { core.audioOver.isStopped }

  /// What is recorded and where to; `nil` before the start.
  public var opened: OpenedRecording? { core.opened }

  /// Starts; returns once audio is taken. Cancelling the task stops the start.
  /// - Throws: ``SessionFailure``, when it does not come to that; nothing is recorded or left behind then. Of the domain of
  ///   recognisers: `languageEmpty`, `languageUnsupported`, `invalidParameter`; `notConfigured`, `serviceMissing` or
  ///   `notSupported` for want of a provider; `offline`; `consentMissing`; `cancelled`, when it was stopped before;
  ///   `busy`, when it was started before. Else what the source or the disk said.
  public func start() async throws(SessionFailure) { try await core.start() }

  /// Takes nothing until it is resumed. Does nothing unless audio is taken.
  public func pause() { core.pause() }

  /// Takes audio again. Does nothing unless it is paused.
  public func resume() { core.resume() }

  /// Ends the audio because the user wants it. A start under way fails, and so does one that comes only after it.
  public func stop() { core.end(.userInitiated, nil) }

  /// Ends the audio for a reason, with the failure that is behind it.
  public func end(_ reason: StopReason, _ failure: SessionFailure? = nil) { core.end(reason, failure) }

  /// Something takes the source away: ends the audio as interrupted.
  public func interrupt(_ reason: InterruptionReason) { core.interrupt(reason) }

  /// Ends the audio as ``stop()`` does, and does not wait for the last words.
  public func cancel() { core.cancel() }

  /// Waits shorter for the last words, now or later. Ends nothing.
  public func hurry() { core.hurry.stop() }

  /// Somebody takes their consent back: nothing is heard any more, at once, and the audio ends.
  public func withdrawConsent() { core.withdrawConsent() }

  /// The program is about to end: notes that, ends the audio as interrupted, and hurries.
  public func appWillTerminate() { core.appWillTerminate() }

  /// Tells of something that somebody outside saw, such as the broken link of a device; it stands in the stream and in the report.
  /// Does nothing unless the session has started and is not over.
  public func tell(_ event: SessionEvent) { core.tellFromOutside(event) }

  /// How long the recording is, in seconds.
  public var position: Double { core.state.withLock { $0.run }?.position() ?? 0 }

  /// Goes on with another provider, from the end of the last final sentence on.
  /// - Throws: ``SessionFailure`` as `ProviderRegistry.provider(_:offering:)` throws it; `contextInactive` before the start;
  ///   `notSupported` for a recording without text. The provider is as before then.
  public func selectProvider(_ vendor: String) throws(SessionFailure) { try core.selectProvider(vendor) }

  /// Everything that it delivers. May be asked for at any time; there is one reader at a time.
  public var results: SessionResults { SessionResults(session: self) }

  /// The audio while it is recorded. Best asked for before the start: see ``SessionAudio``.
  public func audio() -> SessionAudio { SessionAudio(session: self, tap: core.makeTap()) }

  /// Waits for the end of the audio, which does not depend on the session's.
  /// - Returns: Why it ended, and the failure behind it; `unknown` with the failure of a start, and `unknown` alone when the
  ///   task was cancelled.
  public func audioEnd() async -> (reason: StopReason, failure: SessionFailure?) { await core.audioEnd() }

  /// The report, as soon as the finish is there.
  public var report: RecordingReport? { core.report }
}
