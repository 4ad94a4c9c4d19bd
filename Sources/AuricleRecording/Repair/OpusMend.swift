/// Mends an Ogg Opus: its last whole page is marked as the last, and a torn page behind it is gone.
enum OpusMend {
  static func mend(_ file: OpenFile) throws(MendFault) -> RepairedAudio {
    var window = try FileWindow(file)
    guard let first = try OggPage(window.bytes(at: 0, count: OggPage.longest), at: 0), first.isFirst,
      let head = OpusHead(first.content)
    else { throw .beyondMending("it is no Ogg Opus") }
    let (last, hasHole) = try lastPage(of: first, &window)
    var audio = RepairedAudio(
      frameCount: head.frameCount(granule: last.granule), sampleRate: head.sampleRate, channelCount: head.channelCount)
    let end = last.offset + last.byteCount
    // Behind damage decoders read on by what follows: there every byte stays.
    if !hasHole, end < window.byteCount, OggPage.isTorn(try window.bytes(at: end, count: OggPage.longest)) {
      try MendFault.watching { () throws(SystemError) in try file.resize(to: end) }
      audio.wasChanged = true
    }
    // Decoders refuse some streams that have both a hole and an end, and read them without the mark.
    if last.granule > 0, last.isTorn || !last.isLast && !hasHole {
      try MendFault.watching { () throws(SystemError) in try file.writeAll(last.endMark, at: last.endMarkOffset) }
      audio.wasChanged = true
    }
    return audio
  }

  /// The last page of the stream in which a packet ends, and whether one is missing before it.
  private static func lastPage(of first: OggPage, _ window: inout FileWindow) throws(MendFault) -> (OggPage, Bool) {
    var last = first
    var pageCount: UInt32 = 0
    var hasHole = false
    var wasBroken = false
    var offset = first.byteCount
    while offset < window.byteCount {
      let bytes = try window.bytes(at: offset, count: OggPage.longest)
      guard let page = OggPage(bytes, at: offset) else {
        offset += Int64(distanceToCapture(bytes.dropFirst()) + 1)
        wasBroken = true
        continue
      }
      pageCount += page.serial == first.serial ? 1 : 0
      if page.serial == first.serial, page.granule >= last.granule {
        last = page
        hasHole = wasBroken || page.number != pageCount
      }
      offset += page.byteCount
    }
    return (last, hasHole)
  }

  /// How far the next page can be at the least.
  private static func distanceToCapture(_ bytes: ArraySlice<UInt8>) -> Int {
    let letter = UInt8(ascii: "O")
    return bytes.firstIndex(of: letter).map { $0 - bytes.startIndex } ?? bytes.count
  }
}

/// The beginning of an Opus stream (RFC 7845, 5.1).
struct OpusHead: Equatable {
  private static let rates = [8_000, 12_000, 16_000, 24_000, 48_000]

  /// So many frames at 48,000 Hz, at the beginning, are the encoder's running up.
  let preSkip: Int64
  /// The rate at which decoders deliver it.
  let sampleRate: Int
  let channelCount: Int

  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 19, Array(bytes.prefix(8)) == Array("OpusHead".utf8) else { return nil }
    channelCount = Int(bytes.littleEndian(at: 9, byteCount: 1))
    preSkip = Int64(bytes.littleEndian(at: 10, byteCount: 2))
    let rate = Int(bytes.littleEndian(at: 12, byteCount: 4))
    sampleRate = Self.rates.contains(rate) ? rate : 48_000
    guard channelCount > 0 else { return nil }
  }

  /// How many frames a stream holds.
  func frameCount(granule: Int64) -> Int64 {
    let frames = max(0, min(granule, 1 << 48) - preSkip)
    return frames / Int64(48_000 / sampleRate)
  }
}
