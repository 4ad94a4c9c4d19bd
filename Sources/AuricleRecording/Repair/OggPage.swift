/// A whole page of an Ogg stream (RFC 3533).
struct OggPage {
  /// No page is longer, in bytes.
  static let longest = 65_307
  private static let headerByteCount = 27
  /// Every page begins with it: a mark, and the version.
  private static let capture = Array("OggS".utf8) + [0]
  private static let endBit: UInt8 = 0x04
  /// Where the kind of the page stands, and where its check sum ends: what a repair rewrites.
  private static let kindOffset = 5
  private static let sumOffset = 22

  let offset: Int64
  let byteCount: Int64
  /// How many frames of sound end with the page; −1 when no packet ends in it.
  let granule: Int64
  let serial: UInt32
  /// Its place in its stream.
  let number: UInt32
  /// It is the first of its stream.
  let isFirst: Bool
  /// It is the last of its stream.
  let isLast: Bool
  /// Its sum is that of the page with and without the mark of the end, byte by byte: a repair was torn here.
  let isTorn: Bool
  /// The whole page.
  private let bytes: ArraySlice<UInt8>

  /// Reads a page; `nil` when the bytes begin with none.
  init?(_ bytes: ArraySlice<UInt8>, at offset: Int64) {
    self.bytes = Self.page(bytes)
    guard !self.bytes.isEmpty else { return nil }
    let kind = self.bytes[self.bytes.startIndex + Self.kindOffset]
    isLast = kind & Self.endBit != 0
    let stated = UInt32(self.bytes.littleEndian(at: Self.sumOffset, byteCount: 4))
    let sum = CheckSums.crc32(Self.summed(self.bytes, kind: kind))
    isTorn = stated != sum
    guard !isTorn || Self.isMixed(stated, sum, CheckSums.crc32(Self.summed(self.bytes, kind: kind ^ Self.endBit)))
    else { return nil }
    self.offset = offset
    byteCount = Int64(self.bytes.count)
    granule = Int64(bitPattern: self.bytes.littleEndian(at: 6, byteCount: 8))
    serial = UInt32(self.bytes.littleEndian(at: 14, byteCount: 4))
    number = UInt32(self.bytes.littleEndian(at: 18, byteCount: 4))
    isFirst = kind & 0x02 != 0
  }

  /// Whether the bytes up to a file's end are the beginning of a page, the rest of which was never written; zeros that the
  /// file system put there are nothing.
  static func isTorn(_ rest: ArraySlice<UInt8>) -> Bool {
    let written = rest[..<((rest.lastIndex { $0 != 0 } ?? rest.startIndex - 1) + 1)]
    guard written.count > headerByteCount else { return written.starts(with: capture.prefix(written.count)) }
    return rest.count < longest && written.starts(with: capture) && page(written).isEmpty
  }

  /// What stands in it.
  var content: ArraySlice<UInt8> { bytes.dropFirst(Self.headerByteCount + Int(bytes[bytes.startIndex + 26])) }

  /// Where ``endMark`` belongs, in bytes from the file's start.
  var endMarkOffset: Int64 { offset + Int64(Self.kindOffset) }
  /// The bytes from the kind to the sum, for a page that is marked as the last.
  var endMark: [UInt8] {
    let page = Self.summed(bytes, kind: bytes[bytes.startIndex + Self.kindOffset] | Self.endBit)
    var mark = Array(page[Self.kindOffset..<Self.sumOffset])
    mark.append(littleEndian: CheckSums.crc32(page))
    return mark
  }

  /// The page as its sum is made: with another kind, and without the sum.
  private static func summed(_ bytes: ArraySlice<UInt8>, kind: UInt8) -> [UInt8] {
    var page = Array(bytes)
    page[kindOffset] = kind
    page.replace(at: sumOffset, [0, 0, 0, 0])
    return page
  }

  /// The bytes of the page; none when they are not all there.
  private static func page(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard bytes.count >= headerByteCount, bytes.starts(with: capture) else { return [] }
    let segmentCount = Int(bytes[bytes.startIndex + 26])
    let table = bytes.dropFirst(headerByteCount).prefix(segmentCount)
    let byteCount = headerByteCount + segmentCount + table.reduce(0) { $0 + Int($1) }
    return table.count == segmentCount && bytes.count >= byteCount ? bytes.prefix(byteCount) : []
  }

  private static func isMixed(_ stated: UInt32, _ one: UInt32, _ other: UInt32) -> Bool {
    (0..<4).allSatisfy { index in
      let byte = stated >> (8 * index) & 0xFF
      return byte == one >> (8 * index) & 0xFF || byte == other >> (8 * index) & 0xFF
    }
  }
}
