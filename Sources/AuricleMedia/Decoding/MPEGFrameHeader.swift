/// The four bytes that open a frame of MPEG audio, ISO/IEC 11172-3 and 13818-3.
struct MPEGFrameHeader: Equatable {
  /// 3: MPEG-1, 2: MPEG-2, 0: MPEG-2.5.
  private let version: UInt8
  /// 3: layer I, 2: layer II, 1: layer III.
  private let layer: UInt8
  private let rateIndex: UInt8
  /// The frame's length in bytes, the header included.
  let byteCount: Int

  /// Reads a header; `nil` if the bytes are none, or have no bit rate.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 4 else { return nil }
    let first = bytes[bytes.startIndex + 1]
    let second = bytes[bytes.startIndex + 2]
    version = first >> 3 & 3
    layer = first >> 1 & 3
    rateIndex = second >> 2 & 3
    let bitRateIndex = Int(second >> 4)
    guard bytes[bytes.startIndex] == 0xFF, first >= 0xE0, version != 1, layer != 0, rateIndex != 3,
      (1...14).contains(bitRateIndex)
    else { return nil }
    let bitRate = Self.bitRates(version: version, layer: layer)[bitRateIndex - 1] * 1_000
    let sampleRate = [44_100, 48_000, 32_000][Int(rateIndex)] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    let padding = Int(second >> 1 & 1)
    switch layer {
    case 3: byteCount = (12 * bitRate / sampleRate + padding) * 4
    case 1 where version != 3: byteCount = 72 * bitRate / sampleRate + padding
    default: byteCount = 144 * bitRate / sampleRate + padding
    }
  }

  /// Tells whether the bytes begin like MPEG audio.
  /// - Parameter isSure: One header is enough; without it a second one must follow where the first one says.
  static func begins(_ bytes: [UInt8], isSure: Bool) -> Bool {
    guard let header = MPEGFrameHeader(bytes[...]) else { return false }
    return isSure || header.follows(bytes, header.byteCount)
  }

  /// Finds three frames that stand behind each other, as in a stream that was cut into or whose beginning is damaged.
  /// Chance makes such a row of noise once in some hundred million files.
  static func rowStart(within bytes: [UInt8]) -> Int? {
    bytes.indices.first { start in
      guard bytes[start] == 0xFF, let header = MPEGFrameHeader(bytes[start...]) else { return false }
      let second = start + header.byteCount
      guard header.follows(bytes, second), let next = MPEGFrameHeader(bytes.dropFirst(second)) else { return false }
      return header.follows(bytes, second + next.byteCount)
    }
  }

  /// Whether a frame of the same kind stands at a place.
  private func follows(_ bytes: [UInt8], _ place: Int) -> Bool {
    guard let next = MPEGFrameHeader(bytes.dropFirst(place)) else { return false }
    return next.version == version && next.layer == layer && next.rateIndex == rateIndex
  }

  /// In thousands of bits per second, for the indices 1…14.
  private static func bitRates(version: UInt8, layer: UInt8) -> [Int] {
    switch (version, layer) {
    case (3, 3): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
    case (3, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (3, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (_, 3): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    default: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }
}
