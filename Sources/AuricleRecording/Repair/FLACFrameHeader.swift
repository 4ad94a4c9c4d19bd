/// What a FLAC's beginning says of its sound (RFC 9639, 8.2).
struct FLACStreamInfo: Equatable {
  static let byteCount = 34
  /// Where it is, in bytes from the file's start.
  static let offset: Int64 = 8
  /// From here on a repair rewrites it: the low bits of the total, and the check sum of the samples.
  static let totalOffset = 13

  var shortestBlock: Int
  var longestBlock: Int
  var sampleRate: Int
  var channelCount: Int
  var bitsPerSample: Int
  var totalFrameCount: Int64

  /// Reads the block's content.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    shortestBlock = Int(bytes.bigEndian(at: 0, byteCount: 2))
    longestBlock = Int(bytes.bigEndian(at: 2, byteCount: 2))
    let packed = bytes.bigEndian(at: 10, byteCount: 8)
    sampleRate = Int(packed >> 44)
    channelCount = Int(packed >> 41 & 7) + 1
    bitsPerSample = Int(packed >> 36 & 31) + 1
    totalFrameCount = Int64(packed & 0xF_FFFF_FFFF)
    guard longestBlock >= shortestBlock, longestBlock >= 16, sampleRate > 0 else { return nil }
  }

  /// More bytes than any frame of the stream has.
  var longestFrame: Int64 { Int64(longestBlock * channelCount * (bitsPerSample + 1)) / 8 + 1_024 }
}

/// The beginning of a FLAC frame (RFC 9639, 9.1).
struct FLACFrameHeader: Equatable {
  /// No header is longer, in bytes.
  static let longest = 16

  /// The number of its first sample.
  var startFrame: Int64
  /// How many frames it holds.
  var frameCount: Int64

  /// Reads a header; `nil` when the bytes are none, or one of another stream.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, _ info: FLACStreamInfo) {
    guard bytes.count >= 6, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8, bytes[3] & 1 == 0 else { return nil }
    guard Self.channels(bytes[3] >> 4) == info.channelCount, Self.fits(bytes[3] >> 1 & 7, info) else { return nil }
    var reader = FLACHeaderBytes(bytes, at: 4)
    guard let number = reader.codedNumber(), let size = reader.blockSize(bytes[2] >> 4),
      reader.skipRate(bytes[2] & 15), let stated = reader.next(), stated == CheckSums.crc8(bytes[..<(reader.index - 1)])
    else { return nil }
    guard size <= info.longestBlock else { return nil }
    let isVariable = bytes[1] & 1 == 1
    startFrame = isVariable ? number : number * Int64(info.longestBlock)
    frameCount = Int64(size)
  }

  private static func channels(_ code: UInt8) -> Int {
    switch code {
    case 0...7: Int(code) + 1
    case 8...10: 2
    default: 0
    }
  }

  private static func fits(_ code: UInt8, _ info: FLACStreamInfo) -> Bool {
    let widths: [UInt8: Int] = [1: 8, 2: 12, 4: 16, 5: 20, 6: 24, 7: 32]
    return code == 0 || widths[code] == info.bitsPerSample
  }
}

/// The parts of a header whose length varies.
private struct FLACHeaderBytes {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var index: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
    self.bytes = bytes
    self.index = index
  }

  mutating func next() -> UInt8? {
    guard index < bytes.count else { return nil }
    defer { index += 1 }
    return bytes[index]
  }

  private mutating func number(_ byteCount: Int) -> Int? {
    var value = 0
    for _ in 0..<byteCount {
      guard let byte = next() else { return nil }
      value = value << 8 | Int(byte)
    }
    return value
  }

  /// A number in the manner of UTF-8, up to 36 bits long.
  mutating func codedNumber() -> Int64? {
    guard let first = next() else { return nil }
    let length = (~first).leadingZeroBitCount
    guard length != 1, length < 8 else { return nil }
    var value = length == 0 ? Int64(first) : Int64(first & (0x7F >> UInt8(length)))
    for _ in 1..<max(1, length) {
      guard let byte = next(), byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | Int64(byte & 0x3F)
    }
    return value
  }

  mutating func blockSize(_ code: UInt8) -> Int? {
    switch code {
    case 1: 192
    case 2...5: 144 << Int(code)
    case 6: number(1).map { $0 + 1 }
    case 7: number(2).map { $0 + 1 }
    case 8...15: 1 << Int(code)
    default: nil
    }
  }

  mutating func skipRate(_ code: UInt8) -> Bool {
    switch code {
    case 12: number(1) != nil
    case 13, 14: number(2) != nil
    case 15: false
    default: true
    }
  }
}
