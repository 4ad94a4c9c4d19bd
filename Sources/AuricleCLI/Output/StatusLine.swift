import AuricleSession

/// The last line of a terminal while a recording is transcribed: a progress bar and the words so far.
struct StatusLine: Equatable {
  /// Seconds that were fed.
  var heard = 0.0
  /// Seconds that are expected; `nil` when nobody knows.
  var expected: Double?
  /// The unfinished sentence.
  var words = LiveWords()
  /// Whether the unsettled part may be dimmed.
  var hasStyle = true

  /// Takes an unfinished text apart.
  mutating func show(text: String, stablePrefix: String) { words.show(text: text, stablePrefix: stablePrefix) }

  /// Forgets the sentence.
  mutating func clearText() { words = LiveWords() }

  /// The line with its control sequences, shorter than the terminal is wide. The end of the words is kept.
  func rendered(width: Int) -> String {
    let progress = TextWidth.fitted(progress, to: width - 1)
    let room = width - 3 - TextWidth.of(progress)
    guard room >= 8, !words.isEmpty else { return progress }
    return progress + "  " + words.rendered(width: room, hasStyle: hasStyle)
  }

  private var progress: String {
    let time = ClockTime(seconds: heard).short
    guard let expected, expected > 0 else { return time }
    let share = min(1, max(0, heard / expected))
    let full = Int(share * 10)
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 10 - full)
    return "\(bar) \(Int(share * 100)) % \(time)/\(ClockTime(seconds: expected).short)"
  }
}
