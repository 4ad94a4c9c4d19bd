/// SubRip subtitles (`.srt`).
///
/// SubRip has no escapes, and players take `<…>` and `{\…}` for markup: those brackets are written with characters that
/// look like them. Where audio is missing for a while, a cue in square brackets says so.
public enum SubRipExport {
  /// Renders a report; empty when nothing was said.
  public static func render(_ report: RecordingReport) -> String {
    let cues = TimelineItem.all(of: report).flatMap(Cue.cues)
    return cues.enumerated().map { number, cue in
      let time = "\(cue.start.long(fraction: ",")) --> \(cue.end.long(fraction: ","))"
      return "\(number + 1)\n\(time)\n" + cue.lines.map { escaped($0) + "\n" }.joined()
    }.joined(separator: "\n")
  }

  private static func escaped(_ line: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in line.unicodeScalars { result.append(lookalikes[scalar] ?? scalar) }
    return String(result)
  }

  private static let lookalikes: [Unicode.Scalar: Unicode.Scalar] = ["<": "‹", ">": "›", "{": "❴", "}": "❵"]
}

/// WebVTT subtitles (`.vtt`). Where audio is missing for a while, a cue in square brackets says so.
public enum WebVTTExport {
  /// Renders a report; without cues when nothing was said.
  public static func render(_ report: RecordingReport) -> String {
    let cues = TimelineItem.all(of: report).flatMap(Cue.cues)
    return "WEBVTT\n"
      + cues.map { cue in
        "\n\(cue.start.long(fraction: ".")) --> \(cue.end.long(fraction: "."))\n"
          + cue.lines.map { escaped($0) + "\n" }.joined()
      }.joined()
  }

  private static func escaped(_ line: String) -> String {
    var result = ""
    for scalar in line.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
