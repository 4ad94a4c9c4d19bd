/// Tells a real text from the loops and floods that a decoder makes of audio it cannot hear.
package enum TextGuard {
  /// The longest repeated run of words that is looked for.
  static let longestRun = 6
  /// A run so often in a row is a loop.
  static let loopCount = 4
  /// More characters than this per second, and a few, were never spoken.
  static let charactersPerSecond = 30.0
  static let spareCharacters = 10.0

  /// Whether the text can have been said in that time.
  package static func accepts(_ text: String, seconds: Double) -> Bool {
    guard Double(text.count) <= seconds * charactersPerSecond + spareCharacters else { return false }
    return loopStart(in: Words.normalized(text)) == nil
  }

  /// The text up to the second turn of a loop; the text itself where nothing loops.
  package static func withoutLoop(_ text: String) -> String {
    guard let loop = loopStart(in: Words.normalized(text)) else { return text }
    return StablePrefix.prefix(of: text, wordCount: loop)
  }

  /// The number of words up to the end of the first turn of a loop.
  private static func loopStart(in words: [String]) -> Int? {
    for length in 1...longestRun where words.count >= length * loopCount {
      for start in 0...(words.count - length * loopCount) where loops(words, start, length) {
        return start + length
      }
    }
    return nil
  }

  private static func loops(_ words: [String], _ start: Int, _ length: Int) -> Bool {
    (start..<(start + length * (loopCount - 1))).allSatisfy { words[$0] == words[$0 + length] }
  }
}
