/// The bytes of a file that does not change, read in long pieces from front to back.
struct FileWindow {
  private static let pieceByteCount = 1 << 20

  private let file: OpenFile
  /// The file's length.
  let byteCount: Int64
  private var start: Int64 = 0
  private var bytes: [UInt8] = []

  init(_ file: OpenFile) throws(MendFault) {
    self.file = file
    byteCount = try MendFault.watching { () throws(SystemError) in try file.status().byteCount }
  }

  /// The bytes at a place; fewer at the file's end.
  mutating func bytes(at offset: Int64, count: Int) throws(MendFault) -> ArraySlice<UInt8> {
    let end = min(byteCount, offset + Int64(count))
    guard offset < end else { return [] }
    if offset < start || end > start + Int64(bytes.count) {
      let (file, wanted) = (file, max(count, Self.pieceByteCount))
      bytes = try MendFault.watching { () throws(SystemError) in try file.read(wanted, at: offset) }
      start = offset
    }
    let first = Int(offset - start)
    return bytes[first..<min(bytes.count, Int(end - start))]
  }
}

extension Collection<UInt8> {
  /// The number in the first bytes, lowest byte first; bytes that are not there are 0.
  func littleEndian(at distance: Int, byteCount: Int) -> UInt64 {
    dropFirst(distance).prefix(byteCount).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The number in the first bytes, highest byte first.
  func bigEndian(at distance: Int, byteCount: Int) -> UInt64 {
    dropFirst(distance).prefix(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
