extension Journal {
  /// Longer journals are read up to here, in bytes: 64 MiB, which is more than a day of speech.
  public static let longestRead = 64 << 20
  private static let pieceByteCount = 65_536

  /// Reads the whole lines of a journal, whoever holds it. A last line without its end is no line.
  ///
  /// Bytes that are no UTF-8 are replaced, so that a damaged line stays one line.
  /// - Throws: ``RecordingError`` of kind `notFound`, `notPermitted` or `writeFailed`.
  public static func read(_ path: String) throws(RecordingError) -> [String] {
    do throws(SystemError) {
      let bytes = try OpenFile(path, .reading).read(longestRead, at: 0)
      guard let end = bytes.lastIndex(of: 10) else { return [] }
      return bytes[..<end].split(separator: 10, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw RecordingError(error, "read", path)
    }
  }

  /// Whether a process holds the journal: its recording runs, or is being mended. `false` when there is none.
  public static func isLocked(_ path: String) -> Bool {
    do throws(SystemError) {
      try OpenFile(path, .reading).lock()
      return false
    } catch {
      return error.isLocked
    }
  }

  /// Where the last whole line ends.
  static func wholeByteCount(_ file: OpenFile) throws(SystemError) -> Int64 {
    var end = try file.status().byteCount
    while end > 0 {
      let start = max(0, end - Int64(pieceByteCount))
      let bytes = try file.read(Int(end - start), at: start)
      if let index = bytes.lastIndex(of: 10) { return start + Int64(index) + 1 }
      end = start
    }
    return 0
  }
}
