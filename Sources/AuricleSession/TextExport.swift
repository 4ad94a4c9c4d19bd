/// Words only, one sentence a line.
public enum TextExport {
  /// Renders a report; empty when nothing was said.
  public static func render(_ report: RecordingReport) -> String {
    report.transcripts.map { line($0.text) }.joined()
  }

  /// One sentence as a line with its line break; empty when nothing of the text can be shown.
  public static func line(_ text: String) -> String {
    let line = PlainText.line(text)
    return line.isEmpty ? "" : line + "\n"
  }
}
