/// What to make of the sizes in a WAV's header, which are wrong as often as not: recorders that crash and programs that
/// write into a pipe leave zeros, the largest number, or an old count.
extension WAVHeader {
  /// From here on a size is a stand-in for "as long as it lasts" if the bytes do not bear it out.
  private static let standInByteCount: Int64 = 0x7FFF_F000
  /// A shorter tail behind the claimed end is no audio.
  private static let shortestTail: Int64 = 4_096

  /// The extent in a stream that ends some time.
  func extentInStream() -> PCMExtent {
    guard let claimed = dataByteCount, !isStandIn(claimed) else { return .toTheEnd }
    return PCMExtent(limit: claimed, promised: claimed, expected: claimed)
  }

  /// The extent in a file.
  /// - Parameters:
  ///   - fileByteCount: The true size of the file.
  ///   - tail: The first bytes behind the claimed end of the samples; fewer than 8 at the file's end.
  func extent(fileByteCount: Int64, tail: [UInt8]) -> PCMExtent {
    let available = max(0, fileByteCount - dataOffset)
    guard let claimed = dataByteCount else { return PCMExtent(expected: available) }
    if claimed > available {
      return PCMExtent(promised: isStandIn(claimed) ? nil : claimed, expected: available)
    }
    if claimed == 0 && isStandIn(0) { return PCMExtent(expected: available) }
    if available - claimed >= Self.shortestTail && !Self.isChunk(tail) && !isFollowedByClaim(claimed) {
      return PCMExtent(expected: available, isUnderstated: true)
    }
    return PCMExtent(limit: claimed, promised: claimed, expected: claimed)
  }

  private func isStandIn(_ claimed: Int64) -> Bool {
    claimed == 0 ? !isFollowedByClaim(0) : claimed >= Self.standInByteCount && claimed <= 0xFFFF_FFFF
  }

  /// The header claims that more chunks follow behind that many bytes of samples.
  private func isFollowedByClaim(_ byteCount: Int64) -> Bool {
    endOffset.map { $0 >= dataOffset + byteCount + 8 } ?? false
  }

  /// A chunk's name is four printable characters.
  private static func isChunk(_ tail: [UInt8]) -> Bool {
    tail.count >= 8 && tail.prefix(4).allSatisfy { (0x20...0x7E).contains($0) }
  }
}
