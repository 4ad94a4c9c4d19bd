import AuricleSession

/// The words of a sentence that is still being said: settled ones, and ones that may change.
struct LiveWords: Equatable {
  /// The part of the sentence that will not change.
  private(set) var settled = ""
  /// The rest of it.
  private(set) var unsettled = ""

  /// Whether there is nothing to show.
  var isEmpty: Bool { settled.isEmpty && unsettled.isEmpty }

  /// Takes an unfinished text apart: as many words as are promised are settled.
  mutating func show(text: String, stablePrefix: String) {
    let words = PlainText.line(text).split(separator: " ")
    let count = PlainText.line(stablePrefix).split(separator: " ").count
    settled = words.prefix(count).joined(separator: " ")
    unsettled = words.dropFirst(count).joined(separator: " ")
  }

  /// The words with the unsettled ones dimmed, at most so many columns wide. The end is kept.
  func rendered(width: Int, hasStyle: Bool) -> String {
    let end = TextWidth.tail(unsettled, of: width)
    let gap = settled.isEmpty || unsettled.isEmpty ? "" : " "
    let start = end == unsettled ? TextWidth.tail(settled, of: width - TextWidth.of(end + gap)) : ""
    return start + (start.isEmpty ? "" : gap) + (end.isEmpty || !hasStyle ? end : "\u{1B}[2m\(end)\u{1B}[0m")
  }
}
