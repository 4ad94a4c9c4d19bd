import AuricleAudio

/// A source that delivers what a test wrote down, and then ends or fails.
public actor ScriptedSource: AudioSource {
  /// The format of the script's blocks.
  public nonisolated let format: AudioFormat
  /// What the script claims to hold.
  public nonisolated let expectedFrameCount: Int64?
  private let largestBlock: Int
  private let failure: (any Error)?
  private var script: [AudioChunk]
  private var position = 0
  /// How many calls came.
  public private(set) var callCount = 0

  /// Creates a source from chunks, which it cuts up where they are too long for the caller.
  /// - Parameters:
  ///   - format: The format of the blocks.
  ///   - script: What it delivers.
  ///   - largestBlock: The most frames that it delivers at once.
  ///   - expectedFrameCount: What it claims to hold.
  ///   - failure: What it throws at the end, and ever after; `nil` for a normal end.
  public init(
    format: AudioFormat, script: [AudioChunk], largestBlock: Int = .max, expectedFrameCount: Int64? = nil,
    failure: (any Error)? = nil
  ) {
    self.format = format
    self.script = script
    self.largestBlock = largestBlock
    self.expectedFrameCount = expectedFrameCount
    self.failure = failure
  }

  /// Creates a source from samples, interleaved.
  public init(format: AudioFormat, samples: [Float], largestBlock: Int = .max) {
    let block = PCMBlock(format: format, startFrame: 0, samples: samples)
    self.init(
      format: format, script: samples.isEmpty ? [] : [.audio(block)], largestBlock: largestBlock,
      expectedFrameCount: Int64(block.frameCount))
  }

  /// Delivers what comes next in the script.
  public func next(maxFrames: Int) async throws -> AudioChunk? {
    callCount += 1
    try Task.checkCancellation()
    guard let chunk = script.first else {
      if let failure { throw failure }
      return nil
    }
    guard case .audio(let block) = chunk else {
      script.removeFirst()
      return chunk
    }
    return .audio(take(min(maxFrames, largestBlock), of: block))
  }

  private func take(_ count: Int, of block: PCMBlock) -> PCMBlock {
    let end = min(position + count, block.frameCount)
    let samples = block.samples[position * format.channelCount..<end * format.channelCount]
    let part = PCMBlock(
      format: format, startFrame: block.startFrame + Int64(position), samples: Array(samples))
    position = end
    if end == block.frameCount {
      script.removeFirst()
      position = 0
    }
    return part
  }
}
