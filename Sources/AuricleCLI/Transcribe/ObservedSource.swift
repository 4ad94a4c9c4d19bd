import AuricleAudio

/// A source that tells how far it was read.
struct ObservedSource: AudioSource {
  let source: any AudioSource
  /// Told the end of what was read, in seconds.
  let progress: @Sendable (Double) -> Void

  var format: AudioFormat { source.format }
  var expectedFrameCount: Int64? { source.expectedFrameCount }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    let chunk = try await source.next(maxFrames: maxFrames)
    switch chunk {
    case .audio(let block): progress(format.seconds(block.frames.upperBound))
    case .gap(let gap): progress(format.seconds(gap.frames.upperBound))
    case .notice, nil: break
    }
    return chunk
  }
}
