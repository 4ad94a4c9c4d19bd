import AuricleAudio

/// Reads PCM that needs no decoder: headerless, or what stands behind the header of a WAV.
final class PCMReader: FrameReader {
  let format: AudioFormat
  let expectedFrameCount: Int64?
  private let bytes: any ByteSource
  private var decoder: RawPCMDecoder
  private var extent: PCMExtent
  private var waitingNotice: AudioNotice?
  private var isAtEnd = false

  /// - Parameters:
  ///   - bytes: The bytes from the first sample on.
  ///   - extent: How far the audio reaches.
  init(_ bytes: any ByteSource, raw: RawFormat, extent: PCMExtent) {
    self.bytes = bytes
    self.extent = extent
    format = raw.format
    let decoder = RawPCMDecoder(encoding: raw.encoding, channelCount: raw.format.channelCount)
    self.decoder = decoder
    expectedFrameCount = extent.expected.map { $0 / Int64(decoder.bytesPerFrame) }
  }

  func read(maxFrames: Int) async throws -> FrameRead? {
    while !isAtEnd {
      let wanted = maxFrames * decoder.bytesPerFrame - decoder.leftoverByteCount
      let piece = extent.isUsedUp ? [] : try await bytes.read(maxBytes: extent.allowance(wanted))
      extent.take(piece.count)
      let frames = piece.withUnsafeBytes { decoder.decode($0) }
      if !frames.isEmpty { return .frames(frames) }
      if piece.isEmpty { end() }
    }
    defer { waitingNotice = nil }
    return waitingNotice.map { .notice($0) }
  }

  private func end() {
    isAtEnd = true
    waitingNotice = endNotice.map { AudioNotice(.damagedAudio, $0) }
  }

  private var endNotice: String? {
    if let promised = extent.promised, extent.taken < promised {
      return "the audio ends after \(seconds(extent.taken)) s; its header promises \(seconds(promised)) s"
    }
    if extent.isUnderstated {
      return "the audio is longer than its header says; all \(seconds(extent.taken)) s were taken"
    }
    return decoder.leftoverByteCount > 0 ? "the last bytes are no whole frame and were left out" : nil
  }

  private func seconds(_ byteCount: Int64) -> String {
    twoDecimals(format.seconds(byteCount / Int64(decoder.bytesPerFrame)))
  }
}

/// A number for a message, cut to two decimals.
func twoDecimals(_ value: Double) -> String {
  let hundredths = Int64((min(max(value, 0), 1e15) * 100).rounded())
  let fraction = hundredths % 100
  return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
}
