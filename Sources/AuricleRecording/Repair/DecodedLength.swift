import CSndFile

/// How much of a damaged file can still be heard.
enum DecodedLength {
  private static let pieceFrameCount = 4_096

  /// Decodes a file from its beginning to where the decoder gives up; blocks for as long as that takes.
  static func frames(_ file: OpenFile, byteCount: Int64) -> Int64 {
    let bytes = EncodedBytes(file, byteCount: byteCount)
    return withExtendedLifetime(bytes) {
      var information = SF_INFO()
      var access = EncodedBytes.access
      let context = Unmanaged.passUnretained(bytes).toOpaque()
      guard let handle = sf_open_virtual(&access, Int32(SFM_READ), &information, context) else { return 0 }
      defer { sf_close(handle) }
      return frames(handle, channelCount: Int(information.channels))
    }
  }

  private static func frames(_ handle: OpaquePointer, channelCount: Int) -> Int64 {
    var piece = [Int16](repeating: 0, count: pieceFrameCount * channelCount)
    var total: Int64 = 0
    while true {
      let count = sf_readf_short(handle, &piece, sf_count_t(pieceFrameCount))
      guard count > 0 else { return total }
      total += Int64(count)
    }
  }
}
