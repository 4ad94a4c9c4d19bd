/// Markdown (CommonMark): a heading, what is known of the recording, and a paragraph a sentence with its time; where audio
/// is missing for a while, that stands between the sentences.
public enum MarkdownExport {
  /// Renders a report.
  public static func render(_ report: RecordingReport) -> String {
    var blocks = ["# " + title(report), facts(report)]
    if report.isIncomplete {
      let reason = report.errors.last?.message ?? report.incompleteReason?.rawValue ?? "unknown"
      blocks.append("*Incomplete: \(escaped(reason)).*")
    }
    blocks += TimelineItem.all(of: report).compactMap(paragraph)
    return blocks.joined(separator: "\n\n") + "\n"
  }

  /// What was transcribed; `-` is a tool's word for standard input and no name.
  private static func title(_ report: RecordingReport) -> String {
    let name = escaped(report.source ?? "")
    return name.isEmpty || name == "-" ? "Transcript" : name
  }

  /// The text with everything escaped that Markdown or HTML would take for markup.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in PlainText.line(text).unicodeScalars {
      if special.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  private static let special = Set("\\`*_{}[]<>#|~&$!".unicodeScalars)

  private static func facts(_ report: RecordingReport) -> String {
    var facts = ["- Recorded: \(report.startTime)", "- Length: \(ClockTime(seconds: report.audio.duration).short)"]
    if let language = report.language { facts.append("- Language: \(escaped(language))") }
    if let provider = report.provider {
      facts.append("- Recogniser: \(escaped(provider.vendor)), \(escaped(provider.model))")
    }
    return facts.joined(separator: "\n")
  }

  private static func paragraph(_ item: TimelineItem) -> String? {
    switch item {
    case .sentence(let sentence): return paragraph(sentence)
    case .gap(let gap):
      let end = ClockTime(seconds: gap.end).short
      return "**\(ClockTime(seconds: gap.start).short)** *\(escaped(gap.shownReason)), until \(end)*"
    }
  }

  private static func paragraph(_ sentence: ReportTranscript) -> String? {
    let text = escaped(sentence.text)
    return text.isEmpty ? nil : "**\(ClockTime(seconds: sentence.start).short)** \(text)"
  }
}
