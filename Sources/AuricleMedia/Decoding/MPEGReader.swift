import AuricleAudio

/// Decodes MPEG audio (MP3, MP2, MP1) as its bytes arrive. Damage in the middle is skipped.
final class MPEGReader: FrameReader {
  private static let pieceByteCount = 16_384
  /// Bytes without a single sample after which the stream is taken for something else.
  private static let patience = 1 << 20

  let format: AudioFormat
  let expectedFrameCount: Int64?
  private let bytes: any ByteSource
  private let handle: MPEGHandle
  private var frames: ArraySlice<Float> = []
  private var readFrameCount: Int64 = 0
  private var isForeign = false
  private var isDamaged = false
  private var isAtEnd = false

  /// Reads up to the first header.
  /// - Throws: `AudioError` of kind `notAudio` when there is none.
  nonisolated(nonsending) static func open(_ bytes: any ByteSource, name: String) async throws -> MPEGReader {
    guard let handle = MPEGHandle() else { throw AudioError(.readFailed, "there is no memory for an MP3 decoder") }
    var fedByteCount = 0
    while fedByteCount <= patience {
      switch handle.step() {
      case .format(let rate, let channels):
        return MPEGReader(bytes, handle, try AudioFormat(sampleRate: rate, channelCount: channels))
      case .needsBytes:
        let piece = try await bytes.read(maxBytes: pieceByteCount)
        guard !piece.isEmpty else { throw AudioError.notAudio(name, "it ends before its sound begins") }
        handle.feed(piece)
        fedByteCount += piece.count
      case .samples, .failed:
        throw AudioError.notAudio(name, "it is damaged beyond reading")
      }
    }
    throw AudioError.notAudio(name, "it is damaged beyond reading")
  }

  private init(_ bytes: any ByteSource, _ handle: MPEGHandle, _ format: AudioFormat) {
    self.bytes = bytes
    self.handle = handle
    self.format = format
    expectedFrameCount = handle.claimedFrameCount
  }

  func read(maxFrames: Int) async throws -> FrameRead? {
    while frames.isEmpty && !isAtEnd { try await decode() }
    if frames.isEmpty { return endNotice().map { .notice($0) } }
    let taken = frames.prefix(maxFrames * format.channelCount)
    frames = frames.dropFirst(taken.count)
    readFrameCount += Int64(taken.count / format.channelCount)
    return .frames(Array(taken))
  }

  private nonisolated(nonsending) func decode() async throws {
    switch handle.step() {
    case .samples(let samples):
      if !isForeign { frames = samples[...] }
    case .format(let rate, let channels):
      // Frames of another rate inside a stream are garbage that looks like a header: played on, they would be too fast.
      isForeign = rate != format.sampleRate || channels != format.channelCount
      isDamaged = isDamaged || isForeign
    case .needsBytes:
      let piece = try await bytes.read(maxBytes: Self.pieceByteCount)
      if piece.isEmpty { isAtEnd = true } else { handle.feed(piece) }
    case .failed:
      isAtEnd = true
      isDamaged = true
    }
  }

  private func endNotice() -> AudioNotice? {
    guard isDamaged || expectedFrameCount.map({ readFrameCount < $0 }) ?? false else { return nil }
    defer {
      isDamaged = false
      readFrameCount = .max
    }
    return damagedAudio(after: readFrameCount, of: expectedFrameCount, format)
  }
}
