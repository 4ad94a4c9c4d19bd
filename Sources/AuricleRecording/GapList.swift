import AuricleAudio

/// Where a recording has no audio, in order; neighbours with one reason are one gap.
struct GapList: Sendable {
  /// Beyond so many gaps, further ones are told to tails as the silence that stands in the file.
  static let limit = 100_000

  private var gaps: [(frames: Range<Int64>, reason: AudioGap.Reason)] = []

  /// Notes a gap behind all others.
  mutating func add(_ frames: Range<Int64>, _ reason: AudioGap.Reason) {
    if let last = gaps.last, last.frames.upperBound == frames.lowerBound, last.reason == reason {
      gaps[gaps.count - 1].frames = last.frames.lowerBound..<frames.upperBound
    } else if gaps.count < Self.limit {
      gaps.append((frames, reason))
    }
  }

  /// What begins at a frame, up to the next change or the end: a gap with its reason, or audio.
  func piece(at frame: Int64, end: Int64) -> (frames: Range<Int64>, reason: AudioGap.Reason?) {
    let index = firstIndex(endingBehind: frame)
    guard index < gaps.count, gaps[index].frames.lowerBound < end else { return (frame..<end, nil) }
    let gap = gaps[index]
    guard gap.frames.lowerBound <= frame else { return (frame..<gap.frames.lowerBound, nil) }
    return (frame..<min(end, gap.frames.upperBound), gap.reason)
  }

  private func firstIndex(endingBehind frame: Int64) -> Int {
    var low = 0
    var high = gaps.count
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].frames.upperBound > frame { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
