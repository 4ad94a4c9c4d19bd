/// The numbering of a recording: every frame has its place in the file, and none comes twice.
struct Timeline: Equatable {
  /// More than this cannot be missing without a word, in seconds: a week.
  static let longestJumpSeconds: Int64 = 7 * 24 * 3_600

  /// Where frames that came belong.
  struct Placement: Equatable {
    /// Frames before them that never came, and that no gap explains.
    var missing: Range<Int64>?
    /// So many of their first frames are in the file already, and are left out.
    var repeatedFrameCount: Int64
  }

  /// The number of the next frame.
  private(set) var nextFrame: Int64 = 0
  private let longestJump: Int64

  init(sampleRate: Int) { longestJump = Self.longestJumpSeconds * Int64(sampleRate) }

  /// Finds the place of frames. Nothing is counted yet.
  /// - Returns: `nil` when they are so far ahead, or so many, that their numbers cannot be right.
  func place(_ frames: Range<Int64>) -> Placement? {
    guard frames.lowerBound >= 0, frames.lowerBound - nextFrame <= longestJump else { return nil }
    guard frames.upperBound - nextFrame <= 2 * longestJump else { return nil }
    let missing = frames.lowerBound > nextFrame ? nextFrame..<frames.lowerBound : nil
    let repeated = min(Int64(frames.count), max(0, nextFrame - frames.lowerBound))
    return Placement(missing: missing, repeatedFrameCount: repeated)
  }

  /// Counts frames that are in the file.
  mutating func advance(to frame: Int64) {
    precondition(frame >= nextFrame, "the numbering went back from \(nextFrame) to \(frame)")
    nextFrame = frame
  }
}
