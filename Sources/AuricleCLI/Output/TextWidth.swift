/// How many columns a text takes up on a terminal.
enum TextWidth {
  /// The columns of a text.
  static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

  /// The columns of a character: two for East Asian wide ones and emoji.
  static func of(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// The blocks of Unicode's EastAsianWidth.txt whose characters are wide or full-width.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
  ]

  /// As much of the beginning of a text as fits into so many columns.
  static func fitted(_ text: String, to width: Int) -> String {
    var result = ""
    var left = width
    for character in text {
      left -= of(character)
      guard left >= 0 else { break }
      result.append(character)
    }
    return result
  }

  /// As much of the end of a text as fits into so many columns, with a mark where it is cut.
  static func tail(_ text: String, of width: Int) -> String {
    guard of(text) > width else { return text }
    var kept: [Character] = []
    var left = width - 1
    for character in text.reversed() {
      left -= of(character)
      guard left >= 0 else { break }
      kept.append(character)
    }
    return width < 2 ? "" : "…" + String(kept.reversed())
  }
}
