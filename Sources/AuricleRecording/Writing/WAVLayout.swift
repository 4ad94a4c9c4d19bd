import AuricleAudio

/// The beginning of a WAV that may grow: the same length at any size of the file.
///
/// A chunk that readers skip keeps the place of the 64-bit sizes. Beyond 4 GiB the form is RF64 (EBU Tech 3306), and the
/// sizes stand there.
struct WAVLayout: Equatable {
  private static let sizesByteCount = 28
  private static let extensibleTag: UInt16 = 0xFFFE
  /// The rest of the identifier that begins with the tag of PCM.
  private static let pcmGUIDTail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

  let format: AudioFormat

  /// Bytes per frame.
  var bytesPerFrame: Int { 2 * format.channelCount }
  /// Where the first sample is, in bytes from the start.
  var dataOffset: Int { 12 + 8 + Self.sizesByteCount + 8 + formatByteCount + 8 }
  private var isExtensible: Bool { format.channelCount > 2 }
  private var formatByteCount: Int { isExtensible ? 40 : 16 }

  /// The bytes before the first sample.
  func header(dataByteCount: Int64) -> [UInt8] {
    let riffByteCount = Int64(dataOffset) - 8 + dataByteCount
    let isLong = riffByteCount > Int64(UInt32.max)
    var bytes = Array((isLong ? "RF64" : "RIFF").utf8)
    bytes.append(littleEndian: isLong ? UInt32.max : UInt32(riffByteCount))
    bytes += Array("WAVE".utf8) + Array((isLong ? "ds64" : "JUNK").utf8)
    bytes.append(littleEndian: UInt32(Self.sizesByteCount))
    bytes += isLong ? sizes(riffByteCount, dataByteCount) : [UInt8](repeating: 0, count: Self.sizesByteCount)
    bytes += formatChunk + Array("data".utf8)
    bytes.append(littleEndian: isLong ? UInt32.max : UInt32(dataByteCount))
    return bytes
  }

  private func sizes(_ riffByteCount: Int64, _ dataByteCount: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: riffByteCount)
    bytes.append(littleEndian: dataByteCount)
    bytes.append(littleEndian: dataByteCount / Int64(bytesPerFrame))
    bytes.append(littleEndian: UInt32(0))
    return bytes
  }

  private var formatChunk: [UInt8] {
    var bytes = Array("fmt ".utf8)
    bytes.append(littleEndian: UInt32(formatByteCount))
    bytes.append(littleEndian: isExtensible ? Self.extensibleTag : 1)
    bytes.append(littleEndian: UInt16(format.channelCount))
    bytes.append(littleEndian: UInt32(format.sampleRate))
    bytes.append(littleEndian: UInt32(format.sampleRate * bytesPerFrame))
    bytes.append(littleEndian: UInt16(bytesPerFrame))
    bytes.append(littleEndian: UInt16(16))
    guard isExtensible else { return bytes }
    bytes.append(littleEndian: UInt16(22))
    bytes.append(littleEndian: UInt16(16))
    // No channel has a loudspeaker.
    bytes.append(littleEndian: UInt32(0))
    bytes.append(littleEndian: UInt16(1))
    return bytes + Self.pcmGUIDTail
  }
}

extension [UInt8] {
  /// Appends a number, its lowest byte first.
  mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
