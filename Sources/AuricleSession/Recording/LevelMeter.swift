import AuricleAudio

/// Collects how loud a recording is, between one look at it and the next.
struct LevelMeter: Sendable {
  private var peak: Float = 0
  private var squares = 0.0
  private var frameCount = 0

  /// How many frames were taken since the last look, missing ones included.
  private(set) var pendingFrameCount: Int64 = 0

  /// Takes a block.
  mutating func add(_ block: PCMBlock) {
    let level = AudioLevel(block)
    peak = max(peak, level.peak)
    squares += Double(level.rms) * Double(level.rms) * Double(block.frameCount)
    frameCount += block.frameCount
    pendingFrameCount += Int64(block.frameCount)
  }

  /// Takes frames that are missing.
  mutating func skip(_ frameCount: Int64) { pendingFrameCount += frameCount }

  /// The level since the last look, and begins anew.
  mutating func read() -> AudioLevel {
    defer { self = LevelMeter() }
    return AudioLevel(peak: peak, rms: frameCount == 0 ? 0 : Float((squares / Double(frameCount)).squareRoot()))
  }
}
