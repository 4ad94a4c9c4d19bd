import AuricleAudio

/// A source from a frame on. What comes before it can be one gap, so that there is no hole in the numbering.
actor RestSource: AudioSource {
  nonisolated let format: AudioFormat
  nonisolated let expectedFrameCount: Int64?
  private let source: any AudioSource
  private let start: Int64
  private var owesGap: Bool

  /// Wraps a source, from which nobody else may read.
  /// - Parameters:
  ///   - source: May begin at a later frame than 0 itself.
  ///   - start: The first frame that is wanted.
  ///   - isFilled: Whether a gap stands for what comes before it.
  init(_ source: any AudioSource, from start: Int64, isFilled: Bool = true) {
    self.source = source
    format = source.format
    expectedFrameCount = source.expectedFrameCount
    self.start = max(0, start)
    owesGap = isFilled && start > 0
  }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    if owesGap {
      owesGap = false
      return .gap(AudioGap(frames: 0..<start, sampleRate: format.sampleRate, reason: .transcribed))
    }
    while let chunk = try await source.next(maxFrames: maxFrames) {
      if let rest = rest(of: chunk) { return rest }
    }
    return nil
  }

  /// The part of a chunk that lies behind the start.
  private func rest(of chunk: AudioChunk) -> AudioChunk? {
    switch chunk {
    case .audio(let block):
      guard block.frames.upperBound > start else { return nil }
      let skipped = Int(max(0, start - block.startFrame))
      guard skipped > 0 else { return chunk }
      return .audio(
        PCMBlock(
          format: format, startFrame: start, samples: Array(block.samples.dropFirst(skipped * format.channelCount))))
    case .gap(let gap):
      guard gap.frames.upperBound > start else { return nil }
      let frames = max(start, gap.frames.lowerBound)..<gap.frames.upperBound
      return .gap(AudioGap(frames: frames, sampleRate: gap.sampleRate, reason: gap.reason))
    case .notice: return chunk
    }
  }
}

extension AudioGap.Reason {
  /// There is text of it already.
  static let transcribed = Self(name: "transcribed")
}
