/// Mends a WAV: its header says how long it is, from the length of the file.
enum WAVMend {
  static func mend(_ file: OpenFile) throws(MendFault) -> RepairedAudio {
    var window = try FileWindow(file)
    let map = try WAVMap(&window)
    var audio = RepairedAudio(
      frameCount: map.claimedByteCount / map.bytesPerFrame, sampleRate: map.sampleRate, channelCount: map.channelCount)
    if try map.isWhole(&window) { return audio }
    let byteCount = (window.byteCount - map.dataOffset) / map.bytesPerFrame * map.bytesPerFrame
    let header = try map.header(dataByteCount: byteCount, &window)
    try MendFault.watching { () throws(SystemError) in
      if map.dataOffset + byteCount < window.byteCount { try file.resize(to: map.dataOffset + byteCount) }
      try file.writeAll(header, at: 0)
    }
    audio.frameCount = byteCount / map.bytesPerFrame
    audio.wasChanged = true
    return audio
  }
}

/// Where things are in a WAV.
struct WAVMap {
  private static let chunkLimit = 64
  private static let headerLimit: Int64 = 1 << 16
  private static let sizesByteCount: Int64 = 28

  /// Where the first sample is, in bytes from the start.
  private(set) var dataOffset: Int64 = 0
  /// How many bytes of samples the header claims.
  private(set) var claimedByteCount: Int64 = 0
  private(set) var bytesPerFrame: Int64 = 0
  private(set) var sampleRate = 0
  private(set) var channelCount = 0
  private var isPCM16 = false
  private let riffByteCount: Int64
  /// There is room for 64-bit sizes, where our own recordings have it.
  private var hasRoomForSizes = false
  private var wideSizes: (riff: Int64, data: Int64)?

  init(_ window: inout FileWindow) throws(MendFault) {
    let start = try window.bytes(at: 0, count: 12)
    let form = Array(start.prefix(4))
    guard ["RIFF", "RF64", "BW64"].contains(where: { Array($0.utf8) == form }),
      Array(start.dropFirst(8)) == Array("WAVE".utf8)
    else { throw .beyondMending("it is no WAV") }
    riffByteCount = Int64(start.littleEndian(at: 4, byteCount: 4))
    try readChunks(&window)
    guard isPCM16, channelCount > 0, bytesPerFrame == 2 * channelCount, sampleRate > 0 else {
      throw .beyondMending("its format is damaged, or none that is recorded here")
    }
  }

  private mutating func readChunks(_ window: inout FileWindow) throws(MendFault) {
    var offset: Int64 = 12
    for _ in 0..<Self.chunkLimit where offset < Self.headerLimit {
      let chunk = try window.bytes(at: offset, count: 8 + 28)
      guard chunk.count >= 8 else { break }
      let (name, size) = (Array(chunk.prefix(4)), Int64(chunk.littleEndian(at: 4, byteCount: 4)))
      if name == Array("data".utf8) { return takeData(at: offset + 8, size) }
      take(name, size, at: offset, chunk.dropFirst(8))
      offset += 8 + size + size % 2
    }
    throw .beyondMending("it holds no samples")
  }

  private mutating func take(_ name: [UInt8], _ size: Int64, at offset: Int64, _ content: ArraySlice<UInt8>) {
    switch String(decoding: name, as: UTF8.self) {
    case "JUNK" where offset == 12 && size == Self.sizesByteCount: hasRoomForSizes = true
    case "ds64" where offset == 12 && size >= Self.sizesByteCount:
      hasRoomForSizes = size == Self.sizesByteCount
      wideSizes = (
        Int64(bits: content.littleEndian(at: 0, byteCount: 8)), Int64(bits: content.littleEndian(at: 8, byteCount: 8))
      )
    case "fmt ":
      let tag = content.littleEndian(at: 0, byteCount: 2)
      isPCM16 = (tag == 1 || tag == 0xFFFE) && content.littleEndian(at: 14, byteCount: 2) == 16
      channelCount = Int(content.littleEndian(at: 2, byteCount: 2))
      sampleRate = Int(content.littleEndian(at: 4, byteCount: 4))
      bytesPerFrame = Int64(content.littleEndian(at: 12, byteCount: 2))
    default: break
    }
  }

  private mutating func takeData(at offset: Int64, _ size: Int64) {
    dataOffset = offset
    claimedByteCount = size == Int64(UInt32.max) ? wideSizes?.data ?? size : size
  }

  /// The header agrees with the file.
  func isWhole(_ window: inout FileWindow) throws(MendFault) -> Bool {
    let end = dataOffset + claimedByteCount
    guard claimedByteCount % bytesPerFrame == 0, claimedByteCount <= window.byteCount - dataOffset else { return false }
    let riff = riffByteCount == Int64(UInt32.max) ? wideSizes?.riff ?? riffByteCount : riffByteCount
    // Nothing follows the samples of our own recordings; behind those of others there may be more.
    if hasRoomForSizes { return end == window.byteCount && riff == end - 8 }
    return try endsInChunks(from: end, &window)
  }

  private func endsInChunks(from end: Int64, _ window: inout FileWindow) throws(MendFault) -> Bool {
    var offset = end + end % 2
    for _ in 0..<Self.chunkLimit where offset < window.byteCount {
      let chunk = try window.bytes(at: offset, count: 8)
      guard chunk.count == 8, chunk.prefix(4).allSatisfy({ (32..<127).contains($0) }) else { return false }
      let size = Int64(chunk.littleEndian(at: 4, byteCount: 4))
      offset += 8 + size + size % 2
    }
    return offset == window.byteCount || end == window.byteCount
  }

  /// The file's beginning with the right sizes in it.
  func header(dataByteCount: Int64, _ window: inout FileWindow) throws(MendFault) -> [UInt8] {
    var bytes = Array(try window.bytes(at: 0, count: Int(dataOffset)))
    let riff = dataOffset - 8 + dataByteCount
    let isLong = riff > Int64(UInt32.max)
    guard !isLong || hasRoomForSizes else { throw .beyondMending("it is too long for its header") }
    if hasRoomForSizes {
      bytes.replace(at: 0, Array((isLong ? "RF64" : "RIFF").utf8))
      bytes.replace(at: 12, Array((isLong ? "ds64" : "JUNK").utf8))
      bytes.replace(
        at: 20, isLong ? sizes(riff, dataByteCount) : [UInt8](repeating: 0, count: Int(Self.sizesByteCount)))
    }
    bytes.replace(at: 4, littleEndian(UInt32(clamping: riff)))
    bytes.replace(at: Int(dataOffset) - 4, littleEndian(UInt32(clamping: dataByteCount)))
    if isLong { bytes.replace(at: Int(dataOffset) - 4, littleEndian(UInt32.max)) }
    return bytes
  }

  private func sizes(_ riff: Int64, _ data: Int64) -> [UInt8] {
    littleEndian(riff) + littleEndian(data) + littleEndian(data / bytesPerFrame) + littleEndian(UInt32(0))
  }

  private func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: number)
    return bytes
  }
}

extension Int64 {
  /// A size that no file has is the longest there is.
  fileprivate init(bits: UInt64) { self.init(clamping: bits) }
}

extension [UInt8] {
  mutating func replace(at index: Int, _ bytes: [UInt8]) {
    replaceSubrange(index..<index + bytes.count, with: bytes)
  }
}
