import AuricleRecognition

/// What `recover` is asked to do, checked.
struct RecoverRequest: Equatable, Sendable {
  /// Where recordings are kept; `nil` for the user's data folder.
  var folder: String?
  /// The language of recordings that do not say theirs.
  var language: LanguageTag?
  var model: String?
  var threadCount: Int?

  /// Checks the words of the command.
  /// - Throws: ``UsageError``
  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = try TranscribeRequest.notEmpty("--out", arguments)
    if let text = arguments.values["--language"] { language = try TranscribeRequest.language(text) }
    model = try TranscribeRequest.notEmpty("--model", arguments)
    if let text = arguments.values["--threads"] {
      threadCount = try TranscribeRequest.number(text, within: TranscribeRequest.threadCounts, for: "--threads")
    }
  }
}
