import AuricleAudio

/// The audio of a session while it is recorded: 16,000 Hz mono, 16-bit integers, little-endian, in order from the first
/// frame on. What is missing is silence of its length, so that a place in it is a place in the recording.
///
/// It is a reader of the file that is written, so it may be as slow as it likes: it holds up nobody and loses nothing. It ends
/// with the audio, at once for a session that did not start, and also where the file cannot be read. Each stream is
/// read by one task at a time; a session can be asked for several. Of a recording that is kept as FLAC or Opus, one that is
/// asked for only after the start may lack the beginning, which is silence then.
public struct SessionAudio: AsyncSequence, Sendable {
  /// Up to a tenth of a second, whole samples.
  public typealias Element = [UInt8]

  let session: RecordingSession
  let tap: AudioTap

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(session: session, tap: tap) }

  /// Reads the audio.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let session: RecordingSession
    let tap: AudioTap
    private var silentCount: Int64 = 0

    init(session: RecordingSession, tap: AudioTap) {
      self.session = session
      self.tap = tap
    }

    /// The most frames that come at once.
    private static let blockFrameCount = 1_600

    /// Waits for more; `nil` at the end, and when the task is cancelled.
    public mutating func next() async -> [UInt8]? { await next(isolation: nil) }

    /// Waits for more; `nil` at the end, and when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
      if silentCount > 0 { return takeSilence() }
      guard let source = await tap.opened() else { return nil }
      while let chunk = try? await source.next(maxFrames: Self.blockFrameCount) {
        switch chunk {
        case .audio(let block) where block.frameCount > 0: return Self.bytes(block)
        case .gap(let gap) where !gap.frames.isEmpty:
          silentCount = Int64(gap.frames.count)
          return takeSilence()
        case .audio, .gap, .notice: continue
        }
      }
      return nil
    }

    private mutating func takeSilence() -> [UInt8] {
      let count = Int(Swift.min(silentCount, Int64(Self.blockFrameCount)))
      silentCount -= Int64(count)
      return [UInt8](repeating: 0, count: 2 * count)
    }

    /// The samples as they stand in files: multiplied by 32,768, to the nearest integer, cut to the range.
    static func bytes(_ block: PCMBlock) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: 2 * block.samples.count) { bytes, count in
        for (index, sample) in block.samples.enumerated() {
          let scaled = (sample * 32_768).rounded(.toNearestOrEven)
          let value = scaled == scaled ? Int16(Swift.max(-32_768, Swift.min(32_767, scaled))) : 0
          bytes[2 * index] = UInt8(truncatingIfNeeded: value)
          bytes[2 * index + 1] = UInt8(truncatingIfNeeded: value >> 8)
        }
        count = 2 * block.samples.count
      }
    }
  }
}
