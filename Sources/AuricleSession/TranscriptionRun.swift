import AuricleAudio
import AuricleRecognition
import Synchronization

/// How long a session waits for a recogniser's last results.
public struct RunLimits: Sendable, Hashable {
  /// After the audio has ended; `nil` waits as long as it takes, which suits files.
  public var afterEnd: Duration?
  /// After the session was stopped.
  public var afterStop: Duration

  /// Creates limits; 8 seconds are the default of a recording session.
  public init(afterEnd: Duration? = .seconds(8), afterStop: Duration = .seconds(8)) {
    self.afterEnd = afterEnd
    self.afterStop = afterStop
  }
}

/// Runs a source through a recognition session, from the first chunk to the report.
///
/// It is the core's part for files and other audio that is there already: nothing is recorded, so there is no consent, no
/// file and no journal. What is recorded runs through a ``RecordingSession``.
///
/// The source's notices and gaps, the recogniser's results and the failures of both come in one ordered stream that ends
/// with exactly one finish. Every queue is bounded: a slow reader slows the recogniser down, and that slows the source
/// down; only texts of unfinished sentences are merged for a slow reader.
///
/// - Stopped through its ``StopSignal``: no more audio is fed, the last results are waited for, within the limits.
/// - Cancelled as a task: the session is cancelled, and what there is is reported at once.
/// - A source that fails ends the audio. The failure is delivered behind the results of what was heard before it.
public struct TranscriptionRun<C: Clock>: Sendable where C.Duration == Duration {
  /// The most frames that are read from the source at once: a tenth of a second of speech.
  public static var blockFrameCount: Int { 1_600 }

  let source: any AudioSource
  let session: any RecognitionSession
  let clock: C
  private let context: ReportContext
  private let wallClock: @Sendable () -> Timestamp
  private let limits: RunLimits
  let stop: StopSignal

  /// Prepares a run; nothing happens yet.
  /// - Parameters:
  ///   - source: 16,000 Hz mono (`AudioFormat.speech`).
  ///   - session: Just started, nothing fed and nothing read.
  ///   - context: What is known of the recording beforehand.
  ///   - limits: How long to wait for the last results.
  ///   - stop: Ends the run early.
  ///   - clock: Stamps the deliveries and keeps the limits.
  ///   - wallClock: Tells the time of day for the report.
  public init(
    source: any AudioSource, session: any RecognitionSession, context: ReportContext, limits: RunLimits = RunLimits(),
    stop: StopSignal = StopSignal(), clock: C, wallClock: @escaping @Sendable () -> Timestamp
  ) {
    self.source = source
    self.session = session
    self.context = context
    self.limits = limits
    self.stop = stop
    self.clock = clock
    self.wallClock = wallClock
  }

  /// Runs to the end. Call it once.
  /// - Parameter deliver: Takes one delivery after the other, never two at a time; the finish is the last.
  /// - Returns: The report that was delivered with the finish.
  @discardableResult
  public func run(deliver: @Sendable (SessionDelivery) async -> Void) async -> RecordingReport {
    var builder = ReportBuilder(context: context, startTime: wallClock())
    let merged = ResultStream()
    let mark = StartMark<C.Instant>()
    await withTaskGroup(of: Part.self) { group in
      addParts(to: &group, merged: merged, mark: mark)
      for await result in merged {
        builder.apply(ReportEntry(result))
        await deliver(SessionDelivery(emitted: elapsed(since: mark), result: SessionResult(result)))
      }
      // The recogniser is through, or this task was cancelled: nobody may go on waiting for anybody.
      await session.cancel()
      merged.cancel()
      group.cancelAll()
      var ending = RunEnding(isCancelled: Task.isCancelled, isStopped: stop.isStopped)
      for await part in group { ending.add(part) }
      for entry in ending.entries { builder.apply(entry) }
      if let failure = ending.failure {
        await deliver(SessionDelivery(emitted: elapsed(since: mark), result: .failure(failure)))
      }
    }
    builder.apply(.ended(wallClock()))
    let report = builder.current
    await deliver(SessionDelivery(emitted: elapsed(since: mark), result: .finish(report)))
    return report
  }

  private func addParts(to group: inout TaskGroup<Part>, merged: ResultStream, mark: StartMark<C.Instant>) {
    let ended = StopSignal()
    group.addTask {
      let feed = await pump(into: merged, mark: mark)
      ended.stop()
      await session.finish()
      return .fed(feed)
    }
    group.addTask {
      for await result in session.results { await merged.send(result) }
      merged.finish()
      return .read
    }
    group.addTask { await giveUp(limits.afterStop, after: stop) }
    if let limit = limits.afterEnd { group.addTask { await giveUp(limit, after: ended) } }
  }

  /// Ends the session without its last results when they have not come so long after a signal.
  private func giveUp(_ limit: Duration, after signal: StopSignal) async -> Part {
    guard await signal.wait() else { return .read }
    do { try await clock.sleep(for: limit) } catch { return .read }
    if Task.isCancelled { return .read }
    await session.cancel()
    return .timedOut
  }

  private func elapsed(since mark: StartMark<C.Instant>) -> Double {
    guard let start = mark.instant else { return 0 }
    let (seconds, attoseconds) = start.duration(to: clock.now).components
    return max(0, Double(seconds) + Double(attoseconds) / 1e18)
  }
}
