/// What a source delivers, in the order of the stream.
public enum AudioChunk: Sendable, Equatable {
  /// Frames that were heard. Their numbers follow on from the chunk before.
  case audio(PCMBlock)
  /// Frames that should be there and are not. The numbering goes on behind them.
  case gap(AudioGap)
  /// Something worth telling; it takes no time in the stream.
  case notice(AudioNotice)
}

/// Where sound comes from: a file, standard input, a microphone, a device.
///
/// One consumer reads at a time. A source is used once, from its start to its end.
public protocol AudioSource: Sendable {
  /// The format of every block that the source delivers.
  var format: AudioFormat { get }
  /// How many frames are to be expected, at the format's rate; `nil` when nobody can know.
  var expectedFrameCount: Int64? { get }

  /// Waits for the next chunk.
  /// - Parameter maxFrames: The most frames that a block may hold; at least 1.
  /// - Returns: The next chunk, or `nil` at the end of the stream, and ever after.
  /// - Throws: ``AudioError``, when the stream cannot go on; `CancellationError` promptly when the task is cancelled.
  func next(maxFrames: Int) async throws -> AudioChunk?
}
