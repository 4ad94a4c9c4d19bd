import AuricleAudio

/// What stands before the first sample of a WAV.
struct WAVHeader: Equatable {
  /// How to read the samples.
  var raw: RawFormat
  /// Where the first sample is, in bytes from the start.
  var dataOffset: Int64
  /// How many bytes of samples the header claims; `nil` when the writer could not know.
  var dataByteCount: Int64?
  /// Where the whole ends by the header's claim, in bytes from the start; `nil` when the writer could not know.
  var endOffset: Int64?
}

/// The `fmt ` chunk of a WAV.
struct WAVFormatChunk: Equatable {
  private static let minimumByteCount = 16
  private static let extensibleTag: UInt16 = 0xFFFE

  /// The coding's number, from the registry of WAVE codings.
  var tag: UInt16
  var channelCount: Int
  var sampleRate: Int
  var bitsPerSample: Int
  /// Bytes per frame by the header's claim, which some writers get wrong.
  var claimedFrameByteCount: Int

  /// Reads the chunk's content; `nil` when it is too short.
  init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count >= Self.minimumByteCount else { return nil }
    let claimedTag = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    let isExtensible = claimedTag == Self.extensibleTag && bytes.count >= 26
    tag = isExtensible ? UInt16(bytes[24]) | UInt16(bytes[25]) << 8 : claimedTag
    channelCount = Int(bytes[2]) | Int(bytes[3]) << 8
    sampleRate = Int(littleEndian32(bytes, at: 4))
    claimedFrameByteCount = Int(bytes[12]) | Int(bytes[13]) << 8
    bitsPerSample = Int(bytes[14]) | Int(bytes[15]) << 8
  }

  /// How the samples are written; `nil` for codings that need a decoder.
  var encoding: SampleEncoding? {
    guard let size = sampleByteCount else { return nil }
    switch (tag, size) {
    case (1, 1): return .u8
    case (1, 2): return .s16le
    case (1, 3): return .s24le
    case (1, 4): return .s32le
    case (3, 4): return .f32le
    case (3, 8): return .f64le
    case (6, 1): return .alaw
    case (7, 1): return .mulaw
    default: return nil
    }
  }

  /// Bytes per sample. The claimed frame size counts only if it agrees with the width of the samples.
  private var sampleByteCount: Int? {
    let size = (bitsPerSample + 7) / 8
    guard channelCount > 0, size > 0 else { return nil }
    let isWider = claimedFrameByteCount.isMultiple(of: channelCount) && claimedFrameByteCount / channelCount > size
    // Wider containers come in two flavours that look alike; a library that knows its writers reads them.
    return isWider ? nil : size
  }
}

func littleEndian32(_ bytes: [UInt8], at index: Int) -> UInt32 {
  UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16 | UInt32(bytes[index + 3]) << 24
}

func bigEndian32(_ bytes: [UInt8], at index: Int) -> UInt32 {
  littleEndian32(bytes, at: index).byteSwapped
}
