import AuricleRecognition

/// How a child process that tried a model ended.
struct ProbeOutcome: Sendable, Equatable {
  /// What ended it.
  enum Ending: Sendable, Equatable {
    /// It ended by itself, with this status.
    case exit(Int32)
    /// A signal ended it.
    case signal(Int32)
    /// It was killed because it took too long.
    case timeout(Duration)
    /// It was killed because nobody waits any more.
    case cancelled
    /// It could not be started.
    case notStarted(String)
  }

  /// What ended it.
  let ending: Ending
  /// The end of what it wrote to standard error.
  let errors: String

  /// What to tell about it; `nil` when the model is good.
  func error(folder: String) -> RecognitionError? {
    switch ending {
    case .exit(0): engineException.map { bad(folder, $0) }
    case .exit(let status): bad(folder, lastLine ?? "loading it ended with status \(status)")
    case .signal(let number): bad(folder, "loading it crashed with signal \(number)")
    case .timeout(let limit): bad(folder, "loading it took longer than \(limit.components.seconds) s")
    case .cancelled: RecognitionError(.cancelled, "loading the model was cancelled")
    case .notStarted(let reason):
      RecognitionError(.failed, "the program that tries the model cannot be started (\(reason)): try again")
    }
  }

  private func bad(_ folder: String, _ reason: String) -> RecognitionError {
    let place = reason.contains(folder) ? "" : "the engine cannot run the model in \(folder): "
    let advice = reason.contains(ModelFolder.advice) ? "" : "; \(ModelFolder.advice)"
    return RecognitionError(.invalidModel, place + reason + advice)
  }

  /// What went wrong inside the engine, which then answers with an empty text as if nothing had been said.
  private var engineException: String? {
    let lines = errors.split(whereSeparator: \.isNewline).map { RecognizedText.clean(String($0)) }
    guard let place = lines.firstIndex(where: { $0.contains("Caught exception") }) else { return nil }
    // What the exception says stands in the next line.
    let said = lines[place...].prefix(3).map(Self.withoutPlace).filter { !$0.isEmpty }.joined(separator: " ")
    return String(said.prefix(Self.longestLine))
  }

  private static let longestLine = 300

  /// The last line that says something, without the place in the engine's sources that leads it.
  private var lastLine: String? {
    let lines = errors.split(whereSeparator: \.isNewline).map { RecognizedText.clean(String($0)) }
    let telling = lines.map(Self.withoutPlace).last { $0.contains(where: \.isLetter) }
    return telling.map { String($0.prefix(Self.longestLine)) }
  }

  /// `/build/csrc/file.cc:Function:12 words` and `auricle: words` say `words`.
  private static func withoutPlace(_ line: String) -> String {
    if line.hasPrefix("auricle: ") { return String(line.dropFirst("auricle: ".count)) }
    guard let space = line.firstIndex(of: " ") else { return line }
    let place = line[..<space]
    guard [".cc:", ".h:", ".c:"].contains(where: place.contains), place.last?.isNumber == true else { return line }
    return String(line[line.index(after: space)...])
  }
}
