/// The audio that may still have to be decoded: from a first needed frame up to the newest.
struct SegmentAudio: Sendable {
  private var samples: [Float] = []
  private var firstFrame: Int64 = 0

  /// Where the next sample belongs.
  var endFrame: Int64 { firstFrame + Int64(samples.count) }

  mutating func append(_ new: some Collection<Float>) {
    samples.append(contentsOf: new)
  }

  /// A copy of the samples of frames that are still held. Never the storage itself: another thread will read it while
  /// more is appended here.
  func slice(_ frames: Range<Int64>) -> [Float] {
    let held = frames.clamped(to: firstFrame..<endFrame)
    var copy: [Float] = []
    copy.reserveCapacity(held.count)
    copy.append(contentsOf: samples[Int(held.lowerBound - firstFrame)..<Int(held.upperBound - firstFrame)])
    return copy
  }

  /// Forgets what is before a frame, once that is worth moving the rest.
  mutating func drop(before frame: Int64) {
    let surplus = Int(frame - firstFrame)
    guard surplus > 8_000, surplus <= samples.count else { return }
    samples.removeFirst(surplus)
    firstFrame += Int64(surplus)
  }

  /// Forgets everything and goes on at a frame.
  mutating func restart(at frame: Int64) {
    samples.removeAll(keepingCapacity: true)
    firstFrame = frame
  }
}
