import AuricleAudio
import AuricleRecognition

/// A device's audio through times in which the device is away.
///
/// Frames keep the clock: the time between the last audio before a loss and the first audio behind it is one gap of
/// `sourceLost`. A device that stays away for longer than the grace is lost, and the audio ends where it ended. So is a
/// pause in which the device sends nothing, as a gap of `paused`.
///
/// Audio that the device itself ends is not the end here: why it ended is for others to say, and they call ``end()``.
public actor ReconnectingSource: AudioSource {
  private enum Phase {
    /// The device's audio is not open.
    case closed
    /// It is read.
    case open(any AudioSource)
    /// It has ended, and whoever knows why is waited for.
    case drained
    /// Nothing follows.
    case over(AudioError?)
  }

  /// The device's format.
  public nonisolated let format: AudioFormat
  /// Nobody can know.
  public nonisolated let expectedFrameCount: Int64? = nil
  private let open: @Sendable () async throws -> any AudioSource
  private let grace: Duration
  private let clock: any Clock<Duration>
  /// The time since this source was made.
  private let elapsed: @Sendable () -> Duration
  private nonisolated let ending = StopSignal()
  private nonisolated let isPaused = Guarded(false)
  private nonisolated let deliveredFrames = Guarded<Int64>(0)

  private var phase = Phase.closed
  /// The frame behind what was delivered.
  private var delivered: Int64 = 0 { didSet { deliveredFrames.withLock { $0 = delivered } } }
  /// The frame here that is frame 0 of the audio that is open.
  private var offset: Int64 = 0
  /// When the audio that is open was opened.
  private var opened = Duration.zero
  /// When the latest audio came; `nil` before the first.
  private var latest: Duration?
  /// Why there is a hole behind the latest audio; `nil` for none.
  private var hole: AudioGap.Reason?
  /// What has its place behind a gap that was just delivered.
  private var held: AudioChunk?
  /// Until when the device is waited for; `nil` while it is there.
  private var deadline: Duration?

  /// Wraps a device's audio.
  /// - Parameters:
  ///   - format: The format of all of it.
  ///   - grace: How long the device may be away.
  ///   - clock: Measures how long it was.
  ///   - open: Opens the device's audio, counted from frame 0; waits for the device, and ends promptly when its task is
  ///     cancelled. The source throws `AudioError` of kind `deviceLost` when the device goes away.
  public init(
    format: AudioFormat, grace: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock(),
    open: @escaping @Sendable () async throws -> any AudioSource
  ) {
    self.format = format
    self.grace = grace
    self.clock = clock
    self.open = open
    elapsed = Self.stopwatch(clock)
  }

  private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// Nothing more is wanted: what the device has sent still comes, then the end. From any thread; harmless when repeated.
  public nonisolated func end() { ending.stop() }

  /// The device sends nothing from now on: time without audio is a pause. From any thread.
  public nonisolated func pause() { isPaused.withLock { $0 = true } }

  /// How much was delivered, in seconds. From any thread.
  public nonisolated var position: Double { format.seconds(deliveredFrames.withLock { $0 }) }

  /// Opens the device's audio, so that nothing of it is missed before the first read. Waits for the device, and ends
  /// promptly when its task is cancelled or ``end()`` is called.
  /// - Throws: As ``next(maxFrames:)``.
  public func prepare() async throws {
    if case .closed = phase { try await reopen() }
    if case .over(let error?) = phase { throw error }
  }

  /// Waits for the next chunk.
  ///
  /// See `AudioSource.next(maxFrames:)`.
  /// - Throws: `AudioError` of kind `deviceLost`, when the device was away for too long; of kind `unsupportedFormat`, when
  ///   it comes back with another format; what the device's audio throws; each of them ever after. `CancellationError`.
  public func next(maxFrames: Int) async throws -> AudioChunk? {
    while true {
      try Task.checkCancellation()
      if let chunk = takeHeld(maxFrames) { return chunk }
      switch phase {
      case .over(let error):
        if let error { throw error }
        return nil
      case .closed: try await reopen()
      case .open(let source):
        if let chunk = try await read(source, maxFrames) { return place(chunk, maxFrames) }
      case .drained: try await waitForEnd()
      }
    }
  }

  /// - Returns: `nil` when the audio that was open does not go on.
  private func read(_ source: any AudioSource, _ maxFrames: Int) async throws -> AudioChunk? {
    do {
      // Behind a hole all that has come is taken at once: when its last frame came says where its first one belongs.
      let isBehindHole = hole != nil || isPaused.withLock { $0 }
      let most = isBehindHole ? max(maxFrames, format.sampleRate) : maxFrames
      let outcome = try await race(until: nil, patience: Self.quietLimit) { try await source.next(maxFrames: most) }
      if case .done(let chunk) = outcome, let chunk { return chunk }
      phase = ending.isStopped ? .over(nil) : .drained
    } catch let error as AudioError where error.kind == .deviceLost {
      phase = ending.isStopped ? .over(nil) : .closed
      hole = .sourceLost
      latest = latest ?? elapsed()
      // Who comes back for a moment and brings nothing was away all the time.
      if deadline == nil || elapsed() - opened >= Self.firmLimit { deadline = elapsed() + grace }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      finish(Self.audioError(error))
    }
    return nil
  }

  /// Gives a chunk its place in the numbering here, behind the gap of the time that passed without audio.
  private func place(_ chunk: AudioChunk, _ maxFrames: Int) -> AudioChunk? {
    guard let frameCount = chunk.frameCount else { return chunk }
    let now = elapsed()
    let missing = missingFrames(before: frameCount, at: now)
    (latest, deadline, hole) = (now, nil, nil)
    guard let missing else {
      held = chunk.moved(by: offset)
      return takeHeld(maxFrames)
    }
    let gap = AudioGap(
      frames: delivered..<delivered + missing.count, sampleRate: format.sampleRate, reason: missing.reason)
    offset += missing.count
    delivered = gap.frames.upperBound
    held = chunk.moved(by: offset)
    return .gap(gap)
  }

  /// How many frames the clock says are missing before audio that has just come, and why.
  private func missingFrames(before frameCount: Int, at now: Duration) -> (count: Int64, reason: AudioGap.Reason)? {
    guard let latest else { return nil }
    let (seconds, attoseconds) = (now - latest).components
    let passed = Double(seconds) + Double(attoseconds) / 1e18
    let count = Int64((passed * Double(format.sampleRate)).rounded()) - Int64(frameCount)
    if let hole { return count > 0 ? (count, hole) : nil }
    // What was under way when it was paused may still come.
    guard isPaused.withLock({ $0 }), count >= Int64(format.sampleRate / 5) else { return nil }
    isPaused.withLock { $0 = false }
    return (count, .paused)
  }

  /// What has its place behind a gap that was delivered.
  private func takeHeld(_ maxFrames: Int) -> AudioChunk? {
    guard let chunk = held else { return nil }
    held = nil
    guard case .audio(let block) = chunk, block.frameCount > maxFrames else {
      delivered += Int64(chunk.frameCount ?? 0)
      return chunk
    }
    let place = maxFrames * format.channelCount
    delivered += Int64(maxFrames)
    held = .audio(
      PCMBlock(
        format: block.format, startFrame: block.startFrame + Int64(maxFrames), samples: Array(block.samples[place...])))
    return .audio(PCMBlock(format: block.format, startFrame: block.startFrame, samples: Array(block.samples[..<place])))
  }

  /// Opens the device's audio. Of a device that is away it waits for no more than the grace.
  private func reopen() async throws {
    if let deadline, deadline <= elapsed() { return finish(Self.gone) }
    do {
      switch try await race(until: deadline, body: open) {
      case .done(let source) where source.format == format:
        phase = .open(source)
        (offset, opened) = (delivered, elapsed())
      case .done:
        finish(AudioError(.unsupportedFormat, "the device came back with another format; start a new recording"))
      case .ended: finish(nil)
      case .timedOut: finish(Self.gone)
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      finish(Self.audioError(error))
    }
  }

  /// A device that ends its audio was told to, or says why; where nobody says so, it is lost.
  private func waitForEnd() async throws {
    switch try await race(until: elapsed() + grace, body: { [ending] in _ = await ending.wait() }) {
    case .done, .ended: finish(nil)
    case .timedOut: finish(AudioError(.deviceLost, "the device sends no more audio; start again"))
    }
  }

  private func finish(_ error: AudioError?) { phase = .over(error) }

  private static let gone = AudioError(
    .deviceLost, "the device went away and did not come back; bring it near and start again")

  private static func audioError(_ error: any Error) -> AudioError {
    switch error {
    case let error as AudioError: error
    case let error as DeviceError:
      AudioError(
        error.kind == .disconnected ? .deviceLost : .readFailed, error.message, platformCode: error.platformCode)
    default: AudioError(.readFailed, PlainText.line("\(error)"))
    }
  }

  /// How long audio is waited for that was under way at the end.
  private static let quietLimit = Duration.milliseconds(500)

  /// How long a link has to hold to count as one that is back, when it brings nothing.
  private static let firmLimit = Duration.seconds(1)

  private enum Outcome<Value: Sendable>: Sendable {
    case done(Value)
    case ended
    case timedOut
  }

  /// Whatever comes first: the body's value, the end and what is still waited for behind it, or the deadline.
  private func race<Value: Sendable>(
    until deadline: Duration?, patience: Duration = .zero, body: @escaping @Sendable () async throws -> Value
  ) async throws -> Outcome<Value> {
    try await withThrowingTaskGroup(of: Outcome<Value>?.self) { group in
      defer { group.cancelAll() }
      group.addTask { .done(try await body()) }
      group.addTask { [ending, clock] in
        guard await ending.wait() else { return nil }
        if patience > .zero { try await clock.sleep(for: patience) }
        return .ended
      }
      if let deadline {
        let rest = deadline - elapsed()
        group.addTask { [clock] in
          if rest > .zero { try await clock.sleep(for: rest) }
          return .timedOut
        }
      }
      while let outcome = try await group.next() {
        if let outcome { return outcome }
      }
      throw CancellationError()
    }
  }
}

extension AudioChunk {
  /// How many frames it takes up; `nil` for a notice.
  fileprivate var frameCount: Int? {
    switch self {
    case .audio(let block): block.frameCount
    case .gap(let gap): gap.frames.count
    case .notice: nil
    }
  }

  fileprivate func moved(by offset: Int64) -> AudioChunk {
    switch self {
    case .audio(let block):
      .audio(PCMBlock(format: block.format, startFrame: block.startFrame + offset, samples: block.samples))
    case .gap(let gap):
      .gap(
        AudioGap(
          frames: gap.frames.lowerBound + offset..<gap.frames.upperBound + offset, sampleRate: gap.sampleRate,
          reason: gap.reason))
    case .notice: self
    }
  }
}
