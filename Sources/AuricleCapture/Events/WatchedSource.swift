import AuricleAudio

/// Any source, watched: what ``InputWatch`` finds comes as a notice in the stream, behind the frames that show it.
///
/// It reads at most one block ahead. Time that the reader takes for itself is not held against the source.
public actor WatchedSource<WaitClock: Clock>: AudioSource where WaitClock.Duration == Duration {
  /// The wrapped source's format.
  public nonisolated let format: AudioFormat
  /// What the wrapped source expects.
  public nonisolated let expectedFrameCount: Int64?
  private let source: any AudioSource
  private let clock: WaitClock
  private var watch: InputWatch
  private var events: [CaptureEvent] = []
  /// Reads one chunk, longer than a wait of the reader's if need be, so that a wait's end loses nothing.
  private var reading: Task<Void, Never>?
  private var arrived: Result<AudioChunk?, any Error>?
  /// What of a block is left, when less was asked for than before.
  private var rest: PCMBlock?
  private var reader: CheckedContinuation<Void, Never>?

  /// Wraps a source, from which nobody else may read.
  /// - Parameters:
  ///   - source: What is watched.
  ///   - limits: From when on something is told.
  ///   - clock: What measures how long nothing comes.
  public init(_ source: any AudioSource, limits: InputWatch.Limits = .init(), clock: WaitClock) {
    self.source = source
    self.clock = clock
    format = source.format
    expectedFrameCount = source.expectedFrameCount
    watch = InputWatch(format: source.format, limits: limits)
  }

  deinit { reading?.cancel() }

  /// Waits for the next chunk, or for something to tell.
  ///
  /// See `AudioSource.next(maxFrames:)`. A cancelled wait loses nothing.
  public func next(maxFrames: Int) async throws -> AudioChunk? {
    try Task.checkCancellation()
    if !events.isEmpty { return .notice(AudioNotice(events.removeFirst())) }
    if let rest { return .audio(cut(rest, maxFrames)) }
    let start = clock.now
    while arrived == nil {
      if let event = watch.waited(start.duration(to: clock.now)) { return .notice(AudioNotice(event)) }
      read(maxFrames)
      await wait(until: watch.patience.map { start.advanced(by: $0) })
      if arrived == nil { try Task.checkCancellation() }
    }
    return try take(maxFrames)
  }

  private func read(_ maxFrames: Int) {
    guard reading == nil else { return }
    // Owned by this actor, whose end cancels it; it holds the source, and not the actor.
    reading = Task { [weak self, source] in
      let result: Result<AudioChunk?, any Error>
      do { result = .success(try await source.next(maxFrames: maxFrames)) } catch { result = .failure(error) }
      await self?.arrive(result)
    }
  }

  private func arrive(_ result: Result<AudioChunk?, any Error>) {
    arrived = result
    reading = nil
    wakeReader()
  }

  /// Waits until something has come, the moment has come, or the task is cancelled.
  private func wait(until deadline: WaitClock.Instant?) async {
    // Owned by this wait, whose end cancels it.
    let timer = deadline.map { deadline in
      Task { [weak self, clock] in
        guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
        await self?.wakeReader()
      }
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if arrived != nil || Task.isCancelled { continuation.resume() } else { reader = continuation }
      }
    } onCancel: {
      Task { await wakeReader() }
    }
    timer?.cancel()
  }

  private func wakeReader() {
    reader?.resume()
    reader = nil
  }

  private func take(_ maxFrames: Int) throws -> AudioChunk? {
    defer { arrived = nil }
    guard let chunk = try arrived?.get() else { return nil }
    switch chunk {
    case .audio(let block):
      events += watch.heard(block)
      return .audio(cut(block, maxFrames))
    case .gap(let gap):
      watch.missed(gap)
      return chunk
    case .notice: return chunk
    }
  }

  private func cut(_ block: PCMBlock, _ maxFrames: Int) -> PCMBlock {
    rest = nil
    guard block.frameCount > maxFrames else { return block }
    let place = maxFrames * format.channelCount
    rest = PCMBlock(
      format: block.format, startFrame: block.startFrame + Int64(maxFrames), samples: Array(block.samples[place...]))
    return PCMBlock(format: block.format, startFrame: block.startFrame, samples: Array(block.samples[..<place]))
  }
}

extension WatchedSource where WaitClock == ContinuousClock {
  /// Wraps a source, in real time.
  public init(_ source: any AudioSource, limits: InputWatch.Limits = .init()) {
    self.init(source, limits: limits, clock: ContinuousClock())
  }
}
