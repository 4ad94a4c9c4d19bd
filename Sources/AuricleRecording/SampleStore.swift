import AuricleAudio

/// Where the samples of a recording lie as they are: in the WAV itself, or in the spool beside FLAC and Opus.
///
/// Threading: many may read at once, while the recorder appends behind what is readable.
final class SampleStore: Sendable {
  private static let releasedByteCount: Int64 = 1 << 20

  private let file: OpenFile
  private let dataOffset: Int64
  private let bytesPerFrame: Int
  /// What was read may be given back.
  let isSpool: Bool

  init(_ file: OpenFile, dataOffset: Int64, channelCount: Int, isSpool: Bool) {
    self.file = file
    self.dataOffset = dataOffset
    self.isSpool = isSpool
    bytesPerFrame = 2 * channelCount
  }

  /// So many frames are given back at a time.
  var releasedFrameCount: Int64 { Self.releasedByteCount / Int64(bytesPerFrame) }

  /// Reads frames that are there.
  /// - Throws: `AudioError` of kind `readFailed`.
  func read(_ frameCount: Int, at frame: Int64) throws(AudioError) -> [Float] {
    let bytes = try readBytes(frameCount * bytesPerFrame, at: dataOffset + frame * Int64(bytesPerFrame))
    return bytes.withUnsafeBytes { bytes in
      [Float](unsafeUninitializedCapacity: bytes.count / 2) { target, count in
        count = bytes.count / 2
        for index in 0..<count {
          let bits = bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)
          target[index] = Float(Int16(littleEndian: bits)) / 32_768
        }
      }
    }
  }

  private func readBytes(_ byteCount: Int, at offset: Int64) throws(AudioError) -> [UInt8] {
    do throws(SystemError) {
      let bytes = try file.read(byteCount, at: offset)
      if bytes.count == byteCount { return bytes }
    } catch {
      throw AudioError(
        .readFailed, "the recording cannot be read back: \(error.words)", platformCode: Int(error.code))
    }
    throw AudioError(.readFailed, "the recording cannot be read back: somebody cut its file short")
  }

  /// Gives frames back that nobody will read any more.
  func release(_ frames: Range<Int64>) {
    let scale = Int64(bytesPerFrame)
    file.punchHole(dataOffset + frames.lowerBound * scale..<dataOffset + frames.upperBound * scale)
  }
}
