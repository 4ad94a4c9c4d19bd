/// A subtitle: one or two lines of text and the time in which they are shown.
struct Cue: Equatable {
  /// When it appears.
  let start: ClockTime
  /// When it goes; behind the start.
  let end: ClockTime
  /// The text, not escaped, without empty lines.
  let lines: [String]

  /// The longest line that is broken no further, in characters, as broadcasters have it.
  static let lineLength = 42
  /// The most lines that are shown at once.
  static let lineCount = 2

  /// The cues of a sentence or a gap.
  static func cues(of item: TimelineItem) -> [Cue] {
    switch item {
    case .sentence(let sentence): return cues(of: sentence)
    case .gap(let gap):
      let (start, end) = (ClockTime(seconds: gap.start), ClockTime(seconds: gap.end))
      return [Cue(start: start, end: end, lines: ["[\(gap.shownReason)]"])]
    }
  }

  /// The cues of a sentence: broken at spaces, each shown as long as its share of the characters.
  static func cues(of sentence: ReportTranscript) -> [Cue] {
    let lines = wrapped(PlainText.line(sentence.text))
    let start = ClockTime(seconds: sentence.start)
    let end = max(ClockTime(seconds: sentence.end), ClockTime(milliseconds: start.milliseconds + 1))
    let length = end.milliseconds - start.milliseconds
    let total = Int64(lines.reduce(0) { $0 + $1.count })
    guard lines.count > lineCount, length > total else {
      return lines.isEmpty ? [] : [Cue(start: start, end: end, lines: lines)]
    }
    var cues: [Cue] = []
    var shown: Int64 = 0
    for first in stride(from: 0, to: lines.count, by: lineCount) {
      let part = Array(lines[first..<min(first + lineCount, lines.count)])
      let from = start.milliseconds + length * shown / total
      shown += Int64(part.reduce(0) { $0 + $1.count })
      let to = start.milliseconds + length * shown / total
      cues.append(Cue(start: ClockTime(milliseconds: from), end: ClockTime(milliseconds: to), lines: part))
    }
    return cues
  }

  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let line = lines.last, line.count + 1 + word.count <= lineLength {
        lines[lines.count - 1] = line + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
