import AuricleSession

/// Turns deliveries into the text of a format; a value that writes nothing itself.
struct ResultWriter: Sendable {
  /// The format.
  let format: OutputFormat
  /// The value of `file` in JSON lines; `nil` for a single input.
  let file: String?

  /// What a delivery adds to the text; empty when it adds nothing.
  /// - Throws: `EncodingError`, when a report cannot be encoded.
  func text(_ delivery: SessionDelivery) throws -> String {
    switch (format, delivery.result) {
    case (.jsonl, _): try LiveLine(file: file).line(delivery) + "\n"
    case (.export(.text), .transcript(let transcript)):
      transcript.isSentenceFinal ? TextExport.line(transcript.text) : ""
    case (.export(.text), _): ""
    case (.export(let export), .finish(let report)): try export.render(report)
    case (.export, _): ""
    }
  }
}
