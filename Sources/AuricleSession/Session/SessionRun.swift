import AuricleAudio
import AuricleConsent
import AuricleRecognition
import Foundation

/// The run of a session's recording, whatever its clock is.
struct SessionRun: Sendable {
  let opened: OpenedRecording
  /// Where events are told.
  let desk: NewsDesk
  /// How it becomes text; `nil` for audio alone.
  let speech: SessionSpeech?
  /// Where the next frame stands, in seconds.
  let position: @Sendable () -> Double
  /// What is written as speech, for somebody to read.
  let makeTail: @Sendable () -> any AudioSource
  /// Notes how it begins.
  let begin: @Sendable () -> Void
  /// Runs it to its end.
  let run: @Sendable (@Sendable @escaping (SessionDelivery) -> Void) async -> Void
}

extension SessionCore {
  /// Prepares the run of what was opened.
  func makeRun(
    _ input: SessionInput, _ files: SessionFiles, _ plan: SessionPlan, _ startTime: Timestamp
  ) -> SessionRun {
    let speech = SessionSpeech(plan, configuration, in: environment)
    return makeRun(
      input, files, speech, header(input, files, plan, startTime), on: environment.clock)
  }

  private func makeRun(
    _ input: SessionInput, _ files: SessionFiles, _ speech: SessionSpeech?, _ header: JournalHeader,
    on clock: some Clock<Duration>
  ) -> SessionRun {
    let writer = files.writer
    let run = RecordingRun(
      input: input.recording, gate: gate, writer: writer, journal: files.journal, folder: files.folder, header: header,
      transcriber: speech?.transcriber, limits: limits, stop: stop, hurry: hurry, abandon: abandon, clock: clock,
      wallClock: environment.wallClock, life: life)
    return SessionRun(
      opened: OpenedRecording(
        device: input.device, source: input.source, format: writer.format, startTime: header.startTime,
        folder: files.folder, audioPath: "\(files.folder)/\(files.audioFileName)"),
      desk: run.desk, speech: speech, position: { writer.format.seconds(writer.frameCount) },
      makeTail: { [environment] in environment.speech(writer.makeTail()) }, begin: { run.begin() },
      run: { take in _ = await run.runToEnd { take($0) } })
  }

  private var life: RunLife {
    let (elapsed, early) = state.withLock { ($0.elapsed, $0.early) }
    var life = RunLife(elapsed: elapsed, wallClock: environment.wallClock)
    life.opening = early
    life.tellsEnd = true
    life.onWithdrawal = configuration.onWithdrawal
    // Weak, since the session holds its run; the task that runs it holds the session.
    life.onEnd = { [weak self] in await self?.runEnds($0) }
    life.onClosed = { [weak self] in self?.runClosed($0) ?? $0.reason }
    life.isRead = { [tapCount] in !tapCount.isEmpty }
    return life
  }

  /// Of the user's wish and the greatest length the shorter one counts.
  private var limits: RecordingLimits {
    var limits = RecordingLimits(
      seconds: configuration.seconds, lastResults: configuration.lastResults, stall: environment.stall)
    if let minutes = configuration.maximumMinutes {
      let most = Double(minutes * 60)
      if most < limits.seconds ?? .infinity { (limits.seconds, limits.secondsReason) = (most, .maxDurationReached) }
    }
    return limits
  }

  private func header(
    _ input: SessionInput, _ files: SessionFiles, _ plan: SessionPlan, _ startTime: Timestamp
  ) -> JournalHeader {
    let consent = configuration.consent
    return JournalHeader(
      startTime: startTime, audioFileName: files.audioFileName, format: input.recording.source.format,
      consent: ReportConsent(
        participants: consent.participants,
        grantedAt: Timestamp(millisecondsSince1970: consent.grantedAtMilliseconds),
        policyRevision: consent.policyRevision),
      device: input.device, source: input.source, language: plan.language?.description,
      wantsTranscript: configuration.wantsTranscript, scene: configuration.scene.rawValue,
      isOfflineRecording: plan.isOffline, vendor: plan.provider?.vendor)
  }
}

extension SessionFiles {
  /// Takes back what was made for a recording that was stopped before its start: closes the files, and leaves nothing behind.
  func discard() {
    try? writer.finish()
    try? journal.remove()
    unlink("\(folder)/\(audioFileName)")
    // Only an empty one goes.
    rmdir(folder)
  }
}
