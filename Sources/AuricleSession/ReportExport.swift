/// A form in which a report leaves for people and players.
public enum ReportExport: String, Sendable, CaseIterable {
  /// Words only, one sentence a line.
  case text
  /// The report as JSON.
  case json
  /// Markdown: a heading, and a paragraph a sentence with its time.
  case md
  /// SubRip subtitles.
  case srt
  /// WebVTT subtitles.
  case vtt

  /// The usual extension of a file of the form.
  public var fileExtension: String { self == .text ? "txt" : rawValue }

  /// Renders a report. The text ends with a line break, or is empty when the form has nothing to say.
  /// - Throws: `EncodingError`, when the report cannot be encoded as JSON.
  public func render(_ report: RecordingReport) throws -> String {
    switch self {
    case .text: TextExport.render(report)
    case .json: try JSONText.encode(report, isPretty: true) + "\n"
    case .md: MarkdownExport.render(report)
    case .srt: SubRipExport.render(report)
    case .vtt: WebVTTExport.render(report)
    }
  }
}
