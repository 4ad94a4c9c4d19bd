import AuricleAudio
import AuricleRecognition

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

/// Runs a source through a recogniser, from the first chunk to the report.
///
/// It is the session's part for files and other audio that is there already: nothing is recorded, so there is no consent, no
/// file and no journal. What is recorded runs through a ``RecordingSession``; the life of the text is the same in both: a
/// provider that fails in a way that may pass is asked again, and hears everything since the last final sentence.
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
  let clock: C
  let stop: StopSignal
  let replay = AudioReplay()
  let queue = DeliveryQueue()
  let mark = StartMark<C.Instant>()
  private let transcriber: Transcriber
  private let context: ReportContext
  private let wallClock: @Sendable () -> Timestamp
  private let limits: RunLimits
  private let notes = Guarded<[ReportEntry]>([])

  /// Prepares a run; nothing happens yet.
  /// - Parameters:
  ///   - source: 16,000 Hz mono (`AudioFormat.speech`).
  ///   - provider: Who recognises.
  ///   - configuration: What is asked of it.
  ///   - context: What is known of the recording beforehand.
  ///   - limits: How long to wait for the last results.
  ///   - stop: Ends the run early.
  ///   - backoff: When a provider is asked again, without a final sentence in between; eight times, in about a minute and a
  ///     half, where nothing is said.
  ///   - network: The network, for a provider that needs one.
  ///   - clock: Stamps the deliveries and keeps the limits.
  ///   - wallClock: Tells the time of day for the report.
  ///   - chance: 0..<1, for the length of waits before a provider is asked again.
  public init(
    source: any AudioSource, provider: any RecognitionProvider,
    configuration: RecognitionConfiguration = RecognitionConfiguration(), context: ReportContext,
    limits: RunLimits = RunLimits(), stop: StopSignal = StopSignal(),
    backoff: Backoff = Backoff(maximumAttemptCount: 8),
    network: any NetworkMonitor = AlwaysOnline(), clock: C, wallClock: @escaping @Sendable () -> Timestamp,
    chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.source = source
    self.context = context
    self.limits = limits
    self.stop = stop
    self.clock = clock
    self.wallClock = wallClock
    let registry = ProviderRegistry([ServiceProvider(provider, version: "")])
    transcriber = Transcriber(
      Transcriber.Selection(registry: registry, vendor: provider.vendor, features: []), configuration: configuration,
      network: network, backoff: backoff, speech: { $0 }, chance: chance,
      sleep: { try await clock.sleep(for: $0) })
  }

  /// Runs to the end. Call it once.
  /// - Parameter deliver: Takes one delivery after the other, never two at a time; the finish is the last.
  /// - Returns: The report that was delivered with the finish.
  @discardableResult
  public func run(deliver: @Sendable (SessionDelivery) async -> Void) async -> RecordingReport {
    var builder = ReportBuilder(context: context, startTime: wallClock())
    async let end = transcribe()
    while let result = await queue.next() {
      if let entry = ReportEntry(result) { builder.apply(entry) }
      await deliver(SessionDelivery(emitted: elapsed, result: result))
    }
    let ending = await end
    for entry in notes.withLock({ $0 }) + ending.entries { builder.apply(entry) }
    if let failure = ending.failure {
      await deliver(SessionDelivery(emitted: elapsed, result: .failure(failure)))
    }
    builder.apply(.ended(wallClock()))
    let report = builder.current
    await deliver(SessionDelivery(emitted: elapsed, result: .finish(report)))
    return report
  }

  /// Feeds and recognises, until both are through.
  private func transcribe() async -> RunEnding {
    defer { queue.finish() }
    return await withTaskGroup(of: Part.self) { group in
      group.addTask { .fed(await pump()) }
      group.addTask { .heard(await recognise()) }
      var ending = RunEnding()
      for await part in group {
        // Without a recogniser nobody wants more audio.
        if case .heard = part { group.cancelAll() }
        ending.add(part)
      }
      ending.close(isCancelled: Task.isCancelled, isStopped: stop.isStopped)
      return ending
    }
  }

  /// Recognises until everything is, or nothing more is waited for.
  private func recognise() async -> TranscriptionOutcome {
    // A provider that is refused for good is not waited for: nobody can select another one here.
    let closed = StopSignal()
    closed.stop()
    return await withTaskGroup(of: TranscriptionOutcome?.self) { group in
      group.addTask { await transcriber.run(in: place, closed: closed) }
      group.addTask { await giveUp(limits.afterStop, after: stop) }
      if let limit = limits.afterEnd { group.addTask { await giveUp(limit, after: replay.over) } }
      var outcome: TranscriptionOutcome?
      for await part in group {
        // Whoever comes first ends the others; the transcriber always says how it stood.
        group.cancelAll()
        outcome = outcome ?? part
      }
      return outcome ?? .cut
    }
  }

  /// Returns so long after a signal, and at once where nobody listens whose last results could be waited for.
  private func giveUp(_ limit: Duration, after signal: StopSignal) async -> TranscriptionOutcome? {
    guard await signal.wait(), transcriber.machineState == .recognising else { return nil }
    try? await clock.sleep(for: limit)
    return nil
  }

  private var place: TranscriptionPlace {
    TranscriptionPlace(
      format: .speech, read: { [replay, source] in ReplaySource(replay, from: $0, like: source) },
      keep: { [replay] in replay.forget(before: $0) },
      position: { [replay] in AudioFormat.speech.seconds(replay.end) }, take: { await take($0) },
      show: { [queue] in await queue.send(.failure($0)) }, note: { note($0) }, loaded: {}, heard: { _ in })
  }

  /// Delivers what the recogniser gave. Of what is about the audio the pump tells.
  private func take(_ result: SessionResult) async {
    switch result {
    case .event(let event) where event.kind == .audioDropped || event.kind == .audioNotice: return
    case .failure(let failure) where failure.domain == SessionFailure.audioDomain: return
    case .transcript, .event, .failure, .recording, .finish: await queue.send(result)
    }
  }

  private func note(_ entry: JournalEntry) {
    if case .provider(let names) = entry { notes.withLock { $0.append(.provider(names)) } }
    if entry == .disconnected { notes.withLock { $0.append(.disconnected) } }
  }

  private var elapsed: Double {
    guard let start = mark.instant else { return 0 }
    let (seconds, attoseconds) = start.duration(to: clock.now).components
    return max(0, Double(seconds) + Double(attoseconds) / 1e18)
  }
}
