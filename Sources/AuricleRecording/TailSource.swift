import AuricleAudio

/// Reads a recording while it is made: everything that was written, from its first frame or a later one on, and gaps as
/// gaps.
///
/// It may be as slow as it likes: what it reads lies on the disk. It waits for more without polling, ends after
/// ``Recorder/finish()``, and throws behind the last readable frame when the recording failed.
///
/// Samples come back as they stand in the file: 16 bit, divided by 32,768. One task reads at a time; reading blocks for
/// as long as the disk takes for at most ``longestBlock`` frames.
public actor TailSource: AudioSource {
  /// The longest block, in frames.
  public static let longestBlock = 16_384

  /// The recording's format.
  public nonisolated let format: AudioFormat
  /// Nobody knows how long a recording gets.
  public nonisolated let expectedFrameCount: Int64? = nil
  private let progress: RecordingProgress
  private let store: SampleStore?
  private let reader: Int
  private var position: Int64

  init(_ format: AudioFormat, _ progress: RecordingProgress, _ store: SampleStore?, from frame: Int64 = 0) {
    precondition(frame >= 0, "frames are counted from 0")
    self.format = format
    self.progress = progress
    self.store = store
    position = frame
    reader = progress.update { $0.tail.addReader(at: frame) }
  }

  deinit {
    let reader = reader
    progress.update { $0.tail.removeReader(reader) }
  }

  /// Waits for the next chunk. See `AudioSource.next(maxFrames:)`; a cancelled wait loses nothing.
  /// - Throws: `AudioError` of kind `readFailed`, when the recording failed or its file cannot be read.
  public func next(maxFrames: Int) async throws -> AudioChunk? {
    precondition(maxFrames >= 1, "a block holds at least one frame")
    let start = position
    let piece = try await progress.wait { $0.tail.piece(at: start, isEnded: $0.snapshot.isEnded) }
    switch piece {
    case .audio(let end):
      return .audio(try read(Int(min(end - start, Int64(min(maxFrames, Self.longestBlock))))))
    case .gap(let frames, let reason):
      advance(to: frames.upperBound)
      return .gap(AudioGap(frames: frames, sampleRate: format.sampleRate, reason: reason))
    case .end: return nil
    case .failure(let error): throw error
    }
  }

  private func read(_ frameCount: Int) throws(AudioError) -> PCMBlock {
    guard let store else { preconditionFailure("frames are readable, and there is nothing to read them from") }
    let block = PCMBlock(format: format, startFrame: position, samples: try store.read(frameCount, at: position))
    advance(to: block.frames.upperBound)
    return block
  }

  private func advance(to frame: Int64) {
    position = frame
    guard let store, store.isSpool else { return }
    let (reader, least) = (reader, store.releasedFrameCount)
    if let frames = progress.update({ $0.tail.advance(reader, to: frame, releasing: least) }) { store.release(frames) }
  }
}
