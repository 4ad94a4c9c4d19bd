import AuricleAudio

/// Any source at the speed of life: a block is delivered when its last frame would have been heard.
///
/// Due times count from the first call of ``next(maxFrames:)``, so errors do not add up. A reader that is late gets what
/// it missed at once.
public actor PacedSource<PaceClock: Clock>: AudioSource where PaceClock.Duration == Duration {
  /// The wrapped source's format.
  public nonisolated let format: AudioFormat
  /// What the wrapped source expects.
  public nonisolated let expectedFrameCount: Int64?
  private let source: any AudioSource
  private let clock: PaceClock
  private let blockFrameCount: Int
  private var start: PaceClock.Instant?
  private var firstFrame: Int64?
  private var queue = ChunkQueue()

  /// Wraps a source, from which nobody else may read.
  /// - Parameters:
  ///   - source: Where the sound comes from.
  ///   - clock: What measures the time.
  ///   - blockDuration: The longest block, rounded down to whole frames, at least one frame.
  public init(_ source: any AudioSource, clock: PaceClock, blockDuration: Duration = .milliseconds(20)) {
    self.source = source
    self.clock = clock
    format = source.format
    expectedFrameCount = source.expectedFrameCount
    blockFrameCount = max(1, Int(source.format.frames(seconds: blockDuration / .seconds(1))))
  }

  /// Waits until the next block or gap is due.
  ///
  /// See `AudioSource.next(maxFrames:)`. A cancelled wait loses nothing.
  public func next(maxFrames: Int) async throws -> AudioChunk? {
    precondition(maxFrames >= 1, "a block holds at least one frame")
    let start = self.start ?? clock.now
    self.start = start
    if queue.isEmpty, let chunk = try await source.next(maxFrames: min(maxFrames, blockFrameCount)) {
      queue.add(chunk)
    }
    if let frames = queue.first(maxFrames)?.frames {
      let first = firstFrame ?? frames.lowerBound
      firstFrame = first
      try await clock.sleep(until: start.advanced(by: duration(frames.upperBound - first)), tolerance: nil)
    }
    return queue.take(maxFrames)
  }

  /// The exact length of so many frames, to the nanosecond.
  private func duration(_ frameCount: Int64) -> Duration {
    let (seconds, rest) = frameCount.quotientAndRemainder(dividingBy: Int64(format.sampleRate))
    return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Int64(format.sampleRate))
  }
}

extension PacedSource where PaceClock == ContinuousClock {
  /// Wraps a source at real time.
  public init(_ source: any AudioSource) {
    self.init(source, clock: ContinuousClock())
  }
}

extension AudioChunk {
  /// The frames that the chunk takes up in the stream.
  fileprivate var frames: Range<Int64>? {
    switch self {
    case .audio(let block): block.frames
    case .gap(let gap): gap.frames
    case .notice: nil
    }
  }
}
