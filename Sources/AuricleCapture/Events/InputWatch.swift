import AuricleAudio

/// Tells from the frames of a stream whether it is alive: state follows samples.
///
/// A value without a clock: the time that nothing came is told to it. What it says does not depend on how the stream is
/// cut into blocks, but for ``waited(_:)``.
public struct InputWatch: Sendable {
  /// From when on something is worth telling.
  public struct Limits: Sendable, Hashable {
    /// So much of nothing but zeros, above 0. A muted device shows as this.
    public var silence = Duration.seconds(2)
    /// So long nothing at all, although somebody waits, above 0.
    public var stall = Duration.seconds(2)
    /// How late the stream comes anyway; added to ``stall``.
    public var latency = Duration.zero
    /// The part of a second's samples that reach the end of the scale, above 0.
    public var clippingShare = 0.001
    /// So many seconds of sound pass before clipping is told again.
    public var clippingPause = 10

    /// The usual limits.
    public init() {}
  }

  private let limits: Limits
  private let format: AudioFormat
  private let silentLimit: Int64
  private var silent = Silence()
  private var clipping = Clipping()
  private var hasRun = false
  private var isStalled = false
  private var nextFrame: Int64 = 0

  /// Watches a stream from its start.
  public init(format: AudioFormat, limits: Limits = Limits()) {
    self.format = format
    self.limits = limits
    silentLimit = max(1, format.frames(seconds: limits.silence / .seconds(1)))
  }

  /// How long to wait for frames before ``waited(_:)`` has something to say; `nil` when it will not.
  public var patience: Duration? { hasRun && !isStalled ? limits.stall + limits.latency : nil }

  /// Frames came.
  public mutating func heard(_ block: PCMBlock) -> [CaptureEvent] {
    guard block.frameCount > 0 else { return [] }
    var events: [CaptureEvent] = []
    if isStalled { events.append(.restored(frame: block.startFrame)) }
    (hasRun, isStalled, nextFrame) = (true, false, block.frames.upperBound)
    let count = format.channelCount
    block.samples.withUnsafeBufferPointer { samples in
      for frame in 0..<samples.count / count {
        let place = block.startFrame + Int64(frame)
        let values = UnsafeBufferPointer(rebasing: samples[frame * count..<(frame + 1) * count])
        if let event = look(values, at: place) { events.append(event) }
      }
    }
    return events
  }

  /// Frames are missing. What was silent or clipped before them counts anew behind them.
  public mutating func missed(_ gap: AudioGap) {
    hasRun = true
    nextFrame = gap.frames.upperBound
    silent.frameCount = 0
    clipping.window = nil
  }

  /// Somebody has waited so long, and nothing came.
  public mutating func waited(_ time: Duration) -> CaptureEvent? {
    guard let patience, time >= patience else { return nil }
    isStalled = true
    return .stalled(after: time, frame: nextFrame)
  }

  private mutating func look(_ frame: UnsafeBufferPointer<Float>, at place: Int64) -> CaptureEvent? {
    var isZero = true
    var clippedCount = 0
    for sample in frame {
      if sample != 0 { isZero = false }
      if abs(sample) >= AudioLevel.clippingPeak { clippedCount += 1 }
    }
    let clipped = clipping.add(clippedCount, at: place, format, limits)
    return listen(isZero, at: place) ?? clipped
  }

  private mutating func listen(_ isZero: Bool, at place: Int64) -> CaptureEvent? {
    guard isZero else {
      defer { silent = Silence() }
      return silent.isTold ? .restored(frame: place) : nil
    }
    silent.frameCount += 1
    guard silent.frameCount >= silentLimit, !silent.isTold else { return nil }
    silent.isTold = true
    let seconds = String(format.seconds(silent.frameCount))
    return CaptureEvent(
      .inputSilent, "the source delivered nothing but zeros for \(seconds) s; it may be muted",
      details: ["seconds": seconds, "frame": String(place + 1)])
  }
}

extension CaptureEvent {
  /// Nothing came for so long, up to a frame.
  package static func stalled(after time: Duration, frame: Int64) -> CaptureEvent {
    let seconds = String((time / .seconds(1) * 10).rounded() / 10)
    return CaptureEvent(
      .inputStalled, "nothing came from the source for \(seconds) s",
      details: ["seconds": seconds, "frame": String(frame)])
  }

  /// There is sound again, from a frame on.
  package static func restored(frame: Int64) -> CaptureEvent {
    CaptureEvent(.inputRestored, "there is sound again", details: ["frame": String(frame)])
  }
}

/// A run of zeros.
private struct Silence: Sendable {
  var frameCount: Int64 = 0
  var isTold = false
}

/// Seconds of sound, and how much of each clipped.
private struct Clipping: Sendable {
  /// The second under way, and how many of its samples clipped.
  var window: (start: Int64, clippedCount: Int)?
  /// Before this frame it is not told again.
  private var quietUntil: Int64 = 0

  mutating func add(
    _ count: Int, at place: Int64, _ format: AudioFormat, _ limits: InputWatch.Limits
  ) -> CaptureEvent? {
    let (start, before) = window ?? (place, 0)
    window = (start, before + count)
    guard place + 1 - start >= format.sampleRate else { return nil }
    window = nil
    let share = Double(before + count) / Double(format.sampleRate * format.channelCount)
    guard share >= limits.clippingShare, start >= quietUntil else { return nil }
    quietUntil = place + 1 + Int64(limits.clippingPause * format.sampleRate)
    return CaptureEvent(
      .inputClipping, "the source is too loud: it reaches the end of the scale all the time",
      details: ["frame": String(start), "share": String(share)])
  }
}
