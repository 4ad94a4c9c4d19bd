/// How a sample of headerless PCM is written as bytes.
public enum SampleEncoding: String, Sendable, CaseIterable {
  /// Unsigned 8-bit integers with silence at 128.
  case u8
  /// Signed 16-bit integers, little-endian.
  case s16le
  /// Signed 24-bit integers in three bytes, little-endian.
  case s24le
  /// Signed 32-bit integers, little-endian.
  case s32le
  /// 32-bit floats, little-endian, full scale ±1.
  case f32le
  /// 64-bit floats, little-endian, full scale ±1.
  case f64le
  /// 8-bit µ-law, ITU-T G.711.
  case mulaw
  /// 8-bit A-law, ITU-T G.711.
  case alaw

  /// Bytes per sample.
  public var byteCount: Int {
    switch self {
    case .u8, .mulaw, .alaw: 1
    case .s16le: 2
    case .s24le: 3
    case .s32le, .f32le: 4
    case .f64le: 8
    }
  }

  /// Turns whole samples into floats with full scale at ±1; bytes behind the last whole sample are left out.
  package func samples(of bytes: UnsafeRawBufferPointer) -> [Float] {
    switch self {
    case .u8: map(bytes) { bytes, at in (Float(bytes[at]) - 128) / 128 }
    case .s16le: map(bytes) { bytes, at in Float(Int16(bitPattern: bytes.littleEndian(at))) / 32_768 }
    case .s24le: map(bytes) { bytes, at in Float(bytes.signed24(at)) / 8_388_608 }
    case .s32le: map(bytes) { bytes, at in Float(Int32(bitPattern: bytes.littleEndian(at))) / 2_147_483_648 }
    case .f32le: map(bytes) { bytes, at in Float(bitPattern: bytes.littleEndian(at)) }
    case .f64le: map(bytes) { bytes, at in Float(Double(bitPattern: bytes.littleEndian(at))) }
    case .mulaw: map(bytes) { bytes, at in Self.linear(muLaw: bytes[at]) }
    case .alaw: map(bytes) { bytes, at in Self.linear(aLaw: bytes[at]) }
    }
  }

  @inline(__always)
  private func map(_ bytes: UnsafeRawBufferPointer, _ sample: (UnsafeRawBufferPointer, Int) -> Float) -> [Float] {
    let size = byteCount
    let count = bytes.count / size
    guard count > 0 else { return [] }
    return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      for index in 0..<count { buffer[index] = sample(bytes, index * size) }
      initialized = count
    }
  }

  /// ITU-T G.711: complemented bits, a sign, three bits of exponent, four of mantissa, a bias of 132 on a 16-bit scale.
  private static func linear(muLaw byte: UInt8) -> Float {
    let bits = ~byte
    let magnitude = ((Int(bits & 0x0F) << 3) + 132) << Int((bits & 0x70) >> 4) - 132
    return Float(bits & 0x80 == 0 ? magnitude : -magnitude) / 32_768
  }

  /// ITU-T G.711: every second bit inverted, a sign, three bits of exponent, four of mantissa, on a 16-bit scale.
  private static func linear(aLaw byte: UInt8) -> Float {
    let bits = byte ^ 0x55
    let exponent = Int((bits & 0x70) >> 4)
    let mantissa = Int(bits & 0x0F) << 4 + 8
    let magnitude = exponent == 0 ? mantissa : (mantissa + 256) << (exponent - 1)
    return Float(bits & 0x80 == 0 ? -magnitude : magnitude) / 32_768
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func littleEndian<Bits: FixedWidthInteger>(_ offset: Int) -> Bits {
    Bits(littleEndian: loadUnaligned(fromByteOffset: offset, as: Bits.self))
  }

  @inline(__always)
  fileprivate func signed24(_ offset: Int) -> Int32 {
    let bits = UInt32(self[offset]) | UInt32(self[offset + 1]) << 8 | UInt32(self[offset + 2]) << 16
    return Int32(bitPattern: bits << 8) >> 8
  }
}
