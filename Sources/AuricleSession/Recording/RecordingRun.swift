import AuricleAudio
import AuricleConsent
import AuricleRecognition

/// Records a source into a file, with live text, from the first sample to the report on the disk.
///
/// What is heard goes into the file before anything else happens to it, on a thread of its own. The recogniser is a reader of
/// the file: it may come late, be slow or fail, and costs text, never audio. Journal and report are written as it goes, so
/// that a recording that is killed at any moment can be recovered.
///
/// - Stopped through `stop`: the file is closed at once, and the last results are waited for as long as they keep coming.
/// - Hurried through `hurry`, before or after the stop: they are waited for that much shorter.
/// - Cancelled as a task: the file and the report are whole, and the text is what there is.
public struct RecordingRun<C: Clock>: Sendable where C.Duration == Duration {
  let input: RecordingInput
  let gate: ConsentGate
  let writer: any RecordingWriter
  let folder: String
  let header: JournalHeader
  /// The life of the text, beside the recording; `nil` for audio alone. A session puts its own here before it runs.
  var transcriber: Transcriber?
  let limits: RecordingLimits
  let stop: StopSignal
  let hurry: StopSignal
  let clock: C
  let wallClock: @Sendable () -> Timestamp
  let log: RecordingLog
  let queue = DeliveryQueue()
  let desk: NewsDesk
  let life: RunLife
  /// Thrown when the last results are not waited for.
  let abandon: StopSignal
  let progress = RecordingProgressMark<C.Instant>()

  /// Prepares a run; nothing happens yet.
  /// - Parameters:
  ///   - input: Where the sound comes from, at the writer's format.
  ///   - gate: What the input has met; pauses and resumes the recording.
  ///   - writer: The file.
  ///   - journal: The journal, empty.
  ///   - folder: Where the two are, and where the report will be.
  ///   - header: What the journal begins with.
  ///   - recognition: How it becomes text; `nil` for audio alone.
  ///   - limits: How long it may take.
  ///   - stop: Ends the recording.
  ///   - hurry: Shortens the wait for the last results.
  ///   - clock: Stamps the deliveries and keeps the limits.
  ///   - wallClock: Tells the time of day for the report.
  public init(
    input: RecordingInput, gate: ConsentGate, writer: any RecordingWriter, journal: any JournalWriter, folder: String,
    header: JournalHeader, recognition: RecordingRecognition?, limits: RecordingLimits = RecordingLimits(),
    stop: StopSignal = StopSignal(), hurry: StopSignal = StopSignal(), clock: C,
    wallClock: @escaping @Sendable () -> Timestamp
  ) {
    self.init(
      input: input, gate: gate, writer: writer, journal: journal, folder: folder, header: header,
      transcriber: recognition.map { Transcriber($0) }, limits: limits, stop: stop, hurry: hurry, clock: clock,
      wallClock: wallClock, life: RunLife(from: clock, wallClock: wallClock))
  }

  /// Prepares the run of a session.
  init(
    input: RecordingInput, gate: ConsentGate, writer: any RecordingWriter, journal: any JournalWriter, folder: String,
    header: JournalHeader, transcriber: Transcriber?, limits: RecordingLimits, stop: StopSignal,
    hurry: StopSignal, abandon: StopSignal = StopSignal(), clock: C, wallClock: @escaping @Sendable () -> Timestamp,
    life: RunLife
  ) {
    self.input = input
    self.gate = gate
    self.writer = writer
    self.folder = folder
    self.header = header
    self.transcriber = transcriber
    self.limits = limits
    self.stop = stop
    self.hurry = hurry
    self.abandon = abandon
    self.clock = clock
    self.wallClock = wallClock
    self.life = life
    log = RecordingLog(journal: journal, folder: folder)
    desk = NewsDesk(log: log, queue: queue, moment: life.moment)
  }

  /// Runs to the end. Call it once.
  ///
  /// The files are written and the journal is removed as soon as audio and text are complete, however slow `deliver` is;
  /// what it has not taken by then is delivered after that.
  /// - Parameter deliver: Takes one delivery after the other, never two at a time; the finish is the last.
  /// - Returns: The report that was delivered with the finish. The files are written by then, or the report's last error
  ///   says why not; the journal is there still in that case.
  @discardableResult
  public func run(deliver: @Sendable (SessionDelivery) async -> Void) async -> RecordingReport {
    begin()
    return await runToEnd(deliver: deliver)
  }

  /// Notes how it begins.
  func begin() {
    if let failure = log.note(.header(header)) { queue.post(.failure(failure)) }
    for event in life.opening { desk.note(event) }
  }

  /// Runs what has begun.
  func runToEnd(deliver: @Sendable (SessionDelivery) async -> Void) async -> RecordingReport {
    async let conclusion = recordAndConclude()
    while let result = await queue.next() {
      await deliver(SessionDelivery(emitted: elapsed, result: result))
    }
    let (report, failure) = await conclusion
    if let failure { await deliver(SessionDelivery(emitted: elapsed, result: .failure(failure))) }
    await deliver(SessionDelivery(emitted: elapsed, result: .finish(report)))
    return report
  }

  /// Never waits for who takes the deliveries, once the file is closed.
  private func recordAndConclude() async -> (RecordingReport, SessionFailure?) {
    let watch = watchConsent()
    await recordAndRecognise()
    defer { queue.finish() }
    let conclusion = withExtendedLifetime(watch) { conclude() }
    // Withdrawn while the report was written.
    let isLate = log.fold.mustDestroy && !conclusion.0.isDestroyed && conclusion.1 == nil
    return isLate ? RecordingDestruction(folder, log).run() : conclusion
  }

  /// Ends the audio as soon as consent is withdrawn, on the thread that withdraws it. Where everything is to be destroyed,
  /// that is noted first, and no more words are waited for.
  private func watchConsent() -> WithdrawalWatch {
    gate.whenWithdrawn { [life, log, desk, writer, stop, hurry, abandon] in
      if life.onWithdrawal == .destroy {
        log.note(.destroy)
        hurry.stop()
        abandon.stop()
      }
      let seconds = writer.format.seconds(writer.frameCount)
      desk.tell(SessionEvent(.consentWithdrawn, time: seconds, evidence: "the gate was shut for good"))
      stop.stop()
    }
  }

  private func recordAndRecognise() async {
    // Before anybody reads: the first provider may come late, or be followed by another one.
    if transcriber != nil { writer.keepTail(from: 0) }
    let closed = StopSignal()
    await withTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: RecordingThread()) {
        await record()
        queue.letGo()
        closed.stop()
      }
      if let transcriber {
        group.addTask { await recognise(with: transcriber, closed: closed) }
      }
    }
  }

  /// On the thread of the recording.
  private func record() async {
    let rate = writer.format.sampleRate
    let limit = limits.seconds.map { (frameCount: Int64(($0 * Double(rate)).rounded()), reason: limits.secondsReason) }
    let pump = RecordingPump(
      input: input, gate: gate, writer: writer, log: log, queue: queue, desk: desk, stop: stop, clock: clock,
      limit: limit, lowStorage: limits.lowStorage,
      stalls: limits.stall.map { StallWatch(limit: $0, clock: clock) },
      onFirstAudio: { progress.begin(clock.now) },
      heardSeconds: { transcriber == nil ? nil : progress.heardSeconds },
      isUnread: { (transcriber == nil || progress.isDeaf) && !life.isRead() }, onEnd: life.onEnd)
    let end = await pump.run()
    if let failure = end.failure { desk.tell(failure) }
    log.note(.stopped(life.onClosed(end)))
    progress.close(wallClock())
    postFinishing(missingFrames: end.missingFrames)
  }

  private func postFinishing(missingFrames: Int64) {
    let status = RecordingStatus(
      phase: .finishing, seconds: writer.format.seconds(writer.frameCount), level: .silence,
      byteCount: writer.byteCount, freeByteCount: writer.freeByteCount,
      missingSeconds: writer.format.seconds(missingFrames),
      heardSeconds: transcriber == nil ? nil : progress.heardSeconds)
    queue.post(.recording(status))
  }

  /// Writes the files and removes the journal. Where they cannot be written, or text is missing that can be had later, it
  /// stays, for ``RecordingRecovery``.
  private func conclude() -> (RecordingReport, SessionFailure?) {
    let seconds = writer.format.seconds(writer.frameCount)
    desk.close(with: life.tellsEnd ? SessionEvent(.sessionEnded, time: seconds, evidence: evidenceOfEnd) : nil)
    log.note(.ended(JournalEnd(time: progress.closeTime ?? wallClock(), frameCount: writer.frameCount)))
    if log.fold.mustDestroy { return RecordingDestruction(folder, log).run() }
    let isPending = log.fold.isTextPending
    if isPending { log.note(.reported(revision: log.report.revision)) }
    var report = log.report
    defer { if isPending { log.leave() } }
    do {
      try RecordingDocuments(folder: folder).write(report)
      if !isPending { try log.remove() }
      return (report, nil)
    } catch {
      let failure = SessionFailure(fromRecording: error)
      report.errors.append(failure)
      return (report, failure)
    }
  }

  private var evidenceOfEnd: String {
    guard transcriber != nil else { return "the audio is written" }
    return log.report.isIncomplete ? "the audio is written; no more text is waited for" : "audio and text are complete"
  }

  private var elapsed: Double {
    guard let start = progress.start else { return 0 }
    let (seconds, attoseconds) = start.duration(to: clock.now).components
    return max(0, Double(seconds) + Double(attoseconds) / 1e18)
  }
}
