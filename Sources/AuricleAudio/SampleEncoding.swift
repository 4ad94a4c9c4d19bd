/// How a sample of headerless PCM is written as bytes.
public enum SampleEncoding: String, Sendable, CaseIterable {
  /// Signed 16-bit integers, little-endian.
  case s16le
  /// 32-bit floats, little-endian, full scale ±1.
  case f32le
  /// 8-bit µ-law, ITU-T G.711.
  case mulaw

  /// Bytes per sample.
  public var byteCount: Int {
    switch self {
    case .s16le: 2
    case .f32le: 4
    case .mulaw: 1
    }
  }
}

/// Turns headerless bytes into samples, whatever the pieces in which they come.
///
/// A value: bytes that do not make up a whole frame are kept for the next piece.
public struct RawPCMDecoder: Sendable {
  private let encoding: SampleEncoding
  private let bytesPerFrame: Int
  private var pending: [UInt8] = []

  /// Creates a decoder.
  public init(encoding: SampleEncoding, channelCount: Int) {
    precondition(channelCount > 0, "a frame has at least one sample")
    self.encoding = encoding
    bytesPerFrame = encoding.byteCount * channelCount
  }

  /// Bytes that wait for the rest of their frame; those left at the end of the stream are no frame.
  public var leftoverByteCount: Int { pending.count }

  /// Decodes the next piece.
  /// - Returns: Whole frames, interleaved.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer) -> [Float] {
    guard !pending.isEmpty else { return decodeWhole(bytes) }
    let needed = min(bytesPerFrame - pending.count, bytes.count)
    pending.append(contentsOf: bytes.prefix(needed))
    guard pending.count == bytesPerFrame else { return [] }
    let frame = pending
    pending.removeAll(keepingCapacity: true)
    let first = frame.withUnsafeBytes { samples(of: $0) }
    return first + decodeWhole(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(needed)))
  }

  private mutating func decodeWhole(_ bytes: UnsafeRawBufferPointer) -> [Float] {
    let whole = bytes.count - bytes.count % bytesPerFrame
    pending.append(contentsOf: bytes.dropFirst(whole))
    return samples(of: UnsafeRawBufferPointer(rebasing: bytes.prefix(whole)))
  }

  private func samples(of bytes: UnsafeRawBufferPointer) -> [Float] {
    let count = bytes.count / encoding.byteCount
    return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      for index in 0..<count { buffer[index] = sample(bytes, index) }
      initialized = count
    }
  }

  private func sample(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Float {
    switch encoding {
    case .s16le:
      let bits = bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)
      return Float(Int16(bitPattern: UInt16(littleEndian: bits))) / 32_768
    case .f32le:
      return Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
    case .mulaw:
      return Self.linear(muLaw: bytes[index])
    }
  }

  /// ITU-T G.711: complemented bits, a sign, three bits of exponent, four of mantissa, a bias of 132 on a 16-bit scale.
  private static func linear(muLaw byte: UInt8) -> Float {
    let bits = ~byte
    let magnitude = ((Int(bits & 0x0F) << 3) + 132) << Int((bits & 0x70) >> 4) - 132
    return Float(bits & 0x80 == 0 ? magnitude : -magnitude) / 32_768
  }
}
