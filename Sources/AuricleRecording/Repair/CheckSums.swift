/// The check sums of FLAC and Ogg, as tables.
enum CheckSums {
  /// FLAC's frame headers: polynomial 0x07.
  static let crc8: [UInt8] = (0..<256).map { byte in
    (0..<8).reduce(UInt8(byte)) { crc, _ in crc & 0x80 == 0 ? crc << 1 : crc << 1 ^ 0x07 }
  }

  /// FLAC's frames: polynomial 0x8005.
  static let crc16: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte) << 8) { crc, _ in crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x8005 }
  }

  /// Ogg's pages: polynomial 0x04C11DB7.
  static let crc32: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { crc, _ in crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ 0x04C1_1DB7 }
  }

  static func crc8(_ bytes: some Sequence<UInt8>) -> UInt8 {
    let table = crc8
    return bytes.reduce(0) { table[Int($0 ^ $1)] }
  }

  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    crc32.withUnsafeBufferPointer { table in
      bytes.withUnsafeBufferPointer { bytes in
        var crc: UInt32 = 0
        for byte in bytes { crc = crc << 8 ^ table[Int(UInt8(truncatingIfNeeded: crc >> 24) ^ byte)] }
        return crc
      }
    }
  }
}
