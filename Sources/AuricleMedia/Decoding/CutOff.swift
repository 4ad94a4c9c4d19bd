import AuricleAudio

extension AudioFile {
  private static let longestOggPage = 65_307

  /// The file says of itself that it is longer than it is, or lacks its proper end.
  ///
  /// libsndfile takes what is there in silence; the user should hear of it.
  func isCutOff() throws(AudioError) -> Bool {
    let start = try bytes(1_024, at: 0)
    guard start.count >= 24 else { return true }
    switch String(decoding: start.prefix(4), as: UTF8.self) {
    case "FORM": return Int64(bigEndian32(start, at: 4)) + 8 > byteCount
    case ".snd": return isShorter(than: bigEndian32(start, at: 8), behind: bigEndian32(start, at: 4))
    case "dns.": return isShorter(than: littleEndian32(start, at: 8), behind: littleEndian32(start, at: 4))
    case "OggS": return try !hasLastOggPage()
    case "NIST": return isShorterThanSphereClaims(String(decoding: start, as: UTF8.self))
    default: return false
    }
  }

  private func isShorter(than claimed: UInt32, behind header: UInt32) -> Bool {
    claimed != .max && Int64(header) + Int64(claimed) > byteCount
  }

  /// The last page of an Ogg stream carries a mark.
  private func hasLastOggPage() throws(AudioError) -> Bool {
    let tail = try bytes(Self.longestOggPage * 2, at: max(0, byteCount - Int64(Self.longestOggPage * 2)))
    let pattern = Array("OggS".utf8)
    let lastPage = tail.indices.last { tail[$0] == pattern[0] && tail[$0...].starts(with: pattern) }
    guard let lastPage, lastPage + 5 < tail.count else { return false }
    return tail[lastPage + 5] & 0x04 != 0
  }

  /// SPHERE counts frames, channels and bytes in lines of text: `sample_count -i 16000`.
  private func isShorterThanSphereClaims(_ text: String) -> Bool {
    func field(_ name: String) -> Int64? {
      text.split(separator: "\n").first { $0.hasPrefix(name + " ") }.flatMap { $0.split(separator: " ").last }
        .flatMap { Int64($0) }
    }
    guard let headerByteCount = text.split(separator: "\n").dropFirst().first.flatMap({ Int64($0.filter(\.isNumber)) }),
      let count = field("sample_count"), let width = field("sample_n_bytes"), field("sample_coding") == nil
    else { return false }
    let channels = field("channel_count") ?? 1
    let (samples, overflows) = count.multipliedReportingOverflow(by: width)
    let (total, overflowsToo) = samples.multipliedReportingOverflow(by: channels)
    return overflows || overflowsToo || total > byteCount - headerByteCount
  }
}
