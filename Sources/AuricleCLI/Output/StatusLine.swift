import AuricleSession

/// The last line of a terminal while a recording is transcribed: a progress bar and the words so far.
struct StatusLine: Equatable {
  /// Seconds that were fed.
  var heard = 0.0
  /// Seconds that are expected; `nil` when nobody knows.
  var expected: Double?
  /// The part of the unfinished sentence that will not change.
  var settled = ""
  /// The rest of it.
  var unsettled = ""
  /// Whether the rest may be dimmed.
  var hasStyle = true

  /// Takes an unfinished text apart: as many words as are promised are settled.
  mutating func show(text: String, stablePrefix: String) {
    let words = PlainText.line(text).split(separator: " ")
    let count = PlainText.line(stablePrefix).split(separator: " ").count
    settled = words.prefix(count).joined(separator: " ")
    unsettled = words.dropFirst(count).joined(separator: " ")
  }

  /// Forgets the sentence.
  mutating func clearText() {
    settled = ""
    unsettled = ""
  }

  /// The line with its control sequences, shorter than the terminal is wide. The end of the words is kept.
  func rendered(width: Int) -> String {
    let progress = Self.fitted(progress, to: width - 1)
    let room = width - 3 - TextWidth.of(progress)
    guard room >= 8, !(settled + unsettled).isEmpty else { return progress }
    let end = Self.tail(unsettled, of: room)
    let gap = settled.isEmpty || unsettled.isEmpty ? "" : " "
    let start = end == unsettled ? Self.tail(settled, of: room - TextWidth.of(end + gap)) : ""
    return progress + "  " + start + (start.isEmpty ? "" : gap) + dimmed(end)
  }

  private var progress: String {
    let time = ClockTime(seconds: heard).short
    guard let expected, expected > 0 else { return time }
    let share = min(1, max(0, heard / expected))
    let full = Int(share * 10)
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 10 - full)
    return "\(bar) \(Int(share * 100)) % \(time)/\(ClockTime(seconds: expected).short)"
  }

  private func dimmed(_ text: String) -> String {
    text.isEmpty || !hasStyle ? text : "\u{1B}[2m\(text)\u{1B}[0m"
  }

  private static func fitted(_ text: String, to width: Int) -> String {
    var result = ""
    var left = width
    for character in text {
      left -= TextWidth.of(character)
      guard left >= 0 else { break }
      result.append(character)
    }
    return result
  }

  private static func tail(_ text: String, of width: Int) -> String {
    guard TextWidth.of(text) > width else { return text }
    var kept: [Character] = []
    var left = width - 1
    for character in text.reversed() {
      left -= TextWidth.of(character)
      guard left >= 0 else { break }
      kept.append(character)
    }
    return width < 2 ? "" : "…" + String(kept.reversed())
  }
}

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
}
