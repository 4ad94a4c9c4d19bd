import AuricleAudio

/// What a reader found.
enum FrameRead: Equatable {
  /// Whole frames, interleaved; at least one.
  case frames([Float])
  /// So many frames are damaged, and the sound goes on behind them.
  case gap(frameCount: Int64)
  /// Something worth telling.
  case notice(AudioNotice)
}

/// Decodes one stream from its start to its end. One user; neither frame numbers nor odd samples are its business.
protocol FrameReader: AnyObject {
  /// The format of the frames.
  var format: AudioFormat { get }
  /// How many frames are to be expected; `nil` when nobody can know.
  var expectedFrameCount: Int64? { get }
  /// Waits for what comes next.
  /// - Parameter maxFrames: At least 1, at most ``FrameStream/largestRead``.
  /// - Returns: At most that many frames, or a notice; `nil` at the end, and ever after.
  nonisolated(nonsending) func read(maxFrames: Int) async throws -> FrameRead?
}

/// A reader of which something was taken for a look, and is given back.
final class PeekedReader: FrameReader {
  private var front: FrameRead?
  private let rest: any FrameReader

  var format: AudioFormat { rest.format }
  var expectedFrameCount: Int64? { rest.expectedFrameCount }

  init(front: FrameRead, rest: any FrameReader) {
    self.front = front
    self.rest = rest
  }

  func read(maxFrames: Int) async throws -> FrameRead? {
    guard let front else { return try await rest.read(maxFrames: maxFrames) }
    self.front = nil
    let count = maxFrames * format.channelCount
    guard case .frames(let samples) = front, samples.count > count else { return front }
    self.front = .frames(Array(samples[count...]))
    return .frames(Array(samples[..<count]))
  }
}
