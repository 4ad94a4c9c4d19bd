/// A stretch of a stream, in frames at the stream's rate.
///
/// Frames are exact; seconds are derived from them and never the other way round.
public struct TimeSpan: Sendable, Equatable, Hashable {
  /// The frames, counted from the stream's start.
  public let frames: Range<Int64>
  /// Frames per second.
  public let sampleRate: Int

  /// Creates a span.
  public init(frames: Range<Int64>, sampleRate: Int) {
    precondition(sampleRate > 0, "a rate is positive")
    self.frames = frames
    self.sampleRate = sampleRate
  }

  /// Seconds from the stream's start to the first frame.
  public var start: Double { Double(frames.lowerBound) / Double(sampleRate) }
  /// Seconds from the stream's start to the end of the last frame.
  public var end: Double { Double(frames.upperBound) / Double(sampleRate) }
  /// The length in seconds.
  public var duration: Double { Double(frames.count) / Double(sampleRate) }
}
