import AuricleAudio

/// Chunks that wait to be taken; a block that is too long for its taker is handed out in parts.
struct ChunkQueue {
  private var chunks: [AudioChunk] = []

  mutating func add(_ chunk: AudioChunk) { chunks.append(chunk) }

  var isEmpty: Bool { chunks.isEmpty }

  /// What the next taker would get.
  func first(_ maxFrames: Int) -> AudioChunk? {
    guard case .audio(let block) = chunks.first, block.frameCount > maxFrames else { return chunks.first }
    return .audio(block.split(at: maxFrames).front)
  }

  mutating func take(_ maxFrames: Int) -> AudioChunk? {
    guard let first = chunks.first else { return nil }
    guard case .audio(let block) = first, block.frameCount > maxFrames else { return chunks.removeFirst() }
    let (front, rest) = block.split(at: maxFrames)
    chunks[0] = .audio(rest)
    return .audio(front)
  }
}

extension PCMBlock {
  fileprivate func split(at count: Int) -> (front: PCMBlock, rest: PCMBlock) {
    let place = count * format.channelCount
    return (
      PCMBlock(format: format, startFrame: startFrame, samples: Array(samples[..<place])),
      PCMBlock(format: format, startFrame: startFrame + Int64(count), samples: Array(samples[place...]))
    )
  }
}
