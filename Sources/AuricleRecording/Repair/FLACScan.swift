/// Finds the last whole frame of a FLAC. A frame is whole when the check sum over all of it is 0; where one ends is known
/// by the two bytes that begin every frame, or by the file's end: a header that is damaged or torn ends a frame as well.
struct FLACScan {
  /// Headers that turn up by chance inside a frame are followed up beside the true one.
  private static let limit = 8

  private struct Candidate {
    let header: FLACFrameHeader
    let offset: Int64
    var crc: UInt16 = 0
    /// The sum was 0 somewhere, which in every thirteenth torn frame it is by chance.
    var mayBeWhole = false
  }

  /// The last whole frame: the number of the frame of sound behind it, and the byte behind it.
  private(set) var last: (endFrame: Int64, endOffset: Int64)?
  /// Every frame follows upon the one before it.
  private var isUnbroken = true
  private let info: FLACStreamInfo
  private var candidates: [Candidate] = []

  private let start: Int64

  /// - Parameter start: Where the first frame begins, in bytes.
  init(_ info: FLACStreamInfo, from start: Int64) {
    self.info = info
    self.start = start
  }

  /// The byte behind the last whole frame.
  var endOffset: Int64 { last?.endOffset ?? start }

  /// Whether the file is as a killed writer leaves it: whole frames, and behind them nothing, the beginning of a frame, or
  /// zeros that the file system put there.
  func isOrdinary(_ window: inout FileWindow) throws(MendFault) -> Bool {
    guard isUnbroken, window.byteCount - endOffset <= info.longestFrame else { return false }
    if let torn = candidates.first(where: { $0.offset == endOffset }) { return !torn.mayBeWhole }
    let rest = try window.bytes(at: endOffset, count: Int(info.longestFrame))
    return rest.allSatisfy { $0 == 0 } || rest.first == 0xFF && rest.count < FLACFrameHeader.longest
  }

  /// Reads the file.
  mutating func run(_ window: inout FileWindow) throws(MendFault) {
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
        if bytes[index] == 0xFF, index + 1 == bytes.count || bytes[index + 1] & 0xFE == 0xF8 {
          begin(UnsafeBufferPointer(rebasing: bytes[index...].prefix(FLACFrameHeader.longest)), offset + Int64(index))
        }
        for place in candidates.indices {
          let crc = candidates[place].crc
          candidates[place].crc = crc << 8 ^ table[Int(UInt8(truncatingIfNeeded: crc >> 8) ^ bytes[index])]
          if candidates[place].crc == 0 { candidates[place].mayBeWhole = true }
        }
      }
    }
  }

  private mutating func begin(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int64) {
    settle(at: offset)
    guard let header = FLACFrameHeader(bytes, info) else { return }
    if candidates.count == Self.limit { candidates.removeFirst() }
    candidates.append(Candidate(header: header, offset: offset))
  }

  /// A frame whose sum is 0 here ends here, and whatever began inside it is none.
  private mutating func settle(at offset: Int64) {
    guard let whole = candidates.first(where: { $0.crc == 0 && $0.offset < offset }) else { return }
    isUnbroken = isUnbroken && whole.offset == endOffset
    last = (whole.header.startFrame + whole.header.frameCount, offset)
    candidates.removeAll(keepingCapacity: true)
  }
}
