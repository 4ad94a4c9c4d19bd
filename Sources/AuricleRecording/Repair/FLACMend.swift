/// Mends a FLAC: the number of its frames stands in its beginning, and a torn last frame is gone.
enum FLACMend {
  private static let longestMetadata: Int64 = 1 << 26
  private static let greatestTotal: Int64 = (1 << 36) - 1

  static func mend(_ file: OpenFile) throws(MendFault) -> RepairedAudio {
    var window = try FileWindow(file)
    let (info, audioOffset) = try beginning(&window)
    var scan = FLACScan(info, from: audioOffset)
    try scan.run(&window)
    var audio = RepairedAudio(
      frameCount: min(scan.last?.endFrame ?? 0, greatestTotal), sampleRate: info.sampleRate,
      channelCount: info.channelCount)
    if try scan.isOrdinary(&window) {
      audio.wasChanged = try cut(file, at: scan.endOffset, window.byteCount)
    } else {
      // Damaged elsewhere than at its end: every byte stays, and what a decoder makes of it counts.
      audio.frameCount = max(audio.frameCount, DecodedLength.frames(file, byteCount: window.byteCount))
      if info.totalFrameCount > 0 { return audio }
    }
    if audio.frameCount != info.totalFrameCount {
      try write(audio.frameCount, file, &window)
      audio.wasChanged = true
    }
    return audio
  }

  /// - Returns: Whether there was anything behind that place.
  private static func cut(_ file: OpenFile, at end: Int64, _ byteCount: Int64) throws(MendFault) -> Bool {
    guard end < byteCount else { return false }
    try MendFault.watching { () throws(SystemError) in try file.resize(to: end) }
    return true
  }

  /// - Returns: What the stream is, and where its frames begin.
  private static func beginning(_ window: inout FileWindow) throws(MendFault) -> (FLACStreamInfo, Int64) {
    let start = try window.bytes(at: 0, count: 8 + FLACStreamInfo.byteCount)
    guard Array(start.prefix(4)) == Array("fLaC".utf8), start.bigEndian(at: 4, byteCount: 4) & 0x7FFF_FFFF == 34,
      let info = FLACStreamInfo(start.dropFirst(8))
    else { throw .beyondMending("it is no FLAC") }
    var offset: Int64 = 4
    while offset < longestMetadata {
      let block = try window.bytes(at: offset, count: 4)
      guard block.count == 4 else { break }
      offset += 4 + Int64(block.bigEndian(at: 1, byteCount: 3))
      if block.bigEndian(at: 0, byteCount: 1) & 0x80 != 0 { return (info, offset) }
    }
    throw .beyondMending("its beginning is damaged")
  }

  /// The total and, behind it, the check sum of all samples, which nobody knows any more.
  private static func write(_ total: Int64, _ file: OpenFile, _ window: inout FileWindow) throws(MendFault) {
    let start = FLACStreamInfo.offset + Int64(FLACStreamInfo.totalOffset)
    var bytes = Array(try window.bytes(at: start, count: FLACStreamInfo.byteCount - FLACStreamInfo.totalOffset))
    bytes[0] = bytes[0] & 0xF0 | UInt8(total >> 32)
    for index in 1...4 { bytes[index] = UInt8(truncatingIfNeeded: total >> (8 * (4 - index))) }
    for index in 5..<bytes.count { bytes[index] = 0 }
    try MendFault.watching { () throws(SystemError) in try file.writeAll(bytes, at: start) }
  }
}
