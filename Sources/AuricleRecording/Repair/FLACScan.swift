/// Finds the last whole frame of a FLAC. A frame is whole when the check sum over all of it is 0; where one ends is known
/// by the header behind it, or by the file's end.
struct FLACScan {
  /// Headers that turn up by chance inside a frame are followed up beside the true one.
  private static let limit = 8

  private struct Candidate {
    let header: FLACFrameHeader
    let offset: Int64
    var crc: UInt16 = 0
  }

  /// The last whole frame: the number of the frame of sound behind it, and the byte behind it.
  private(set) var last: (endFrame: Int64, endOffset: Int64)?
  private let info: FLACStreamInfo
  private var candidates: [Candidate] = []

  init(_ info: FLACStreamInfo) { self.info = info }

  /// Reads the file from a place on.
  mutating func run(_ window: inout FileWindow, from start: Int64) throws(MendFault) {
    let piece = 1 << 20
    var offset = start
    while offset < window.byteCount {
      let bytes = try window.bytes(at: offset, count: piece + FLACFrameHeader.longest)
      let isLast = offset + Int64(bytes.count) >= window.byteCount
      let count = isLast ? bytes.count : bytes.count - FLACFrameHeader.longest
      guard count > 0 else { break }
      bytes.withUnsafeBufferPointer { scan($0, count: count, at: offset) }
      offset += Int64(count)
    }
    settle(at: window.byteCount)
  }

  private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, count: Int, at offset: Int64) {
    let table = CheckSums.crc16
    table.withUnsafeBufferPointer { table in
      for index in 0..<count {
        if bytes[index] == 0xFF, index + 1 < bytes.count, bytes[index + 1] & 0xFE == 0xF8 {
          lookForHeader(
            UnsafeBufferPointer(rebasing: bytes[index...].prefix(FLACFrameHeader.longest)), at: offset + Int64(index))
        }
        for place in candidates.indices {
          let crc = candidates[place].crc
          candidates[place].crc = crc << 8 ^ table[Int(UInt8(truncatingIfNeeded: crc >> 8) ^ bytes[index])]
        }
      }
    }
  }

  private mutating func lookForHeader(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int64) {
    guard let header = FLACFrameHeader(bytes, info) else { return }
    settle(at: offset)
    if candidates.count == Self.limit { candidates.removeFirst() }
    candidates.append(Candidate(header: header, offset: offset))
  }

  /// A frame whose sum is 0 here ends here, and whatever began inside it is none.
  private mutating func settle(at offset: Int64) {
    guard let whole = candidates.first(where: { $0.crc == 0 && $0.offset < offset }) else { return }
    last = (whole.header.startFrame + whole.header.frameCount, offset)
    candidates.removeAll(keepingCapacity: true)
  }
}
