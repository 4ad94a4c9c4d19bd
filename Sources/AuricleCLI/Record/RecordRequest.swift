import AuricleAudio
import AuricleConsent
import AuricleMedia
import AuricleRecognition
import AuricleRecording
import AuricleSession

/// Where the sound of a recording comes from.
public enum RecordingOrigin: Sendable, Equatable {
  /// The sound server's default source.
  case standardDevice
  /// A source of the sound server, by its name.
  case device(String)
  /// Headerless PCM on standard input, at its own pace.
  case standardInput(RawFormat)

  /// What the user called it; `nil` when the user called it nothing.
  var name: String? {
    switch self {
    case .standardDevice: nil
    case .device(let name): name
    case .standardInput: "-"
    }
  }

  /// What a person is told about it before more is known.
  var shownName: String {
    switch self {
    case .standardDevice: "the default microphone"
    case .device(let name): PlainText.line(name)
    case .standardInput: "standard input"
    }
  }
}

/// What becomes of a recording when its device or its sound server goes away.
public enum DeviceLoss: String, Sendable, CaseIterable {
  /// It goes on when the device is back within half a minute; the time in between is a gap.
  case wait
  /// It ends.
  case end
}

/// Who agreed to be recorded, as the command line says.
enum ConsentAnswer: Equatable, Sendable {
  /// These did.
  case participants([String])
  /// The command line says nothing: ask.
  case ask

  /// What stands for all who are there when nobody is named.
  static let everyone = "everyone-present"
}

/// What `record` is asked to do, checked.
struct RecordRequest: Equatable, Sendable {
  var origin = RecordingOrigin.standardDevice
  /// The most seconds that are recorded; `nil` for no end.
  var seconds: Double?
  /// The whole minutes that a recording may be long; `nil` for no end.
  var maximumMinutes: Int?
  /// Where recordings are kept; `nil` for the user's data folder.
  var folder: String?
  var consent = ConsentAnswer.ask
  var onWithdrawal = WithdrawalPolicy.keep
  /// What becomes of the recording when its device goes away.
  var onDeviceLoss = DeviceLoss.wait
  var format = RecordingFormat.wav
  var wantsTranscript = true
  var language: LanguageTag?
  var model: String?
  var threadCount: Int?

  /// Checks the words of the command.
  /// - Throws: ``UsageError``
  init(_ arguments: ParsedArguments) throws(UsageError) {
    origin = try Self.origin(arguments)
    if let text = arguments.values["--duration"] { seconds = try DurationText.seconds(text, for: "--duration") }
    if let text = arguments.values["--max-duration"] {
      maximumMinutes = try TranscribeRequest.number(
        text, within: SessionConfiguration.maximumMinutes, for: "--max-duration")
    }
    folder = try TranscribeRequest.notEmpty("--out", arguments)
    consent = try Self.consent(arguments)
    if let word = arguments.values["--on-withdrawal"] { onWithdrawal = try Self.choice(word, for: "--on-withdrawal") }
    if let word = arguments.values["--on-device-loss"] { onDeviceLoss = try Self.choice(word, for: "--on-device-loss") }
    if let name = arguments.values["--format"] { format = try Self.format(name) }
    wantsTranscript = !arguments.flags.contains("--no-transcript")
    if let text = arguments.values["--language"] { language = try TranscribeRequest.language(text) }
    model = try TranscribeRequest.notEmpty("--model", arguments)
    if let text = arguments.values["--threads"] {
      threadCount = try TranscribeRequest.number(text, within: TranscribeRequest.threadCounts, for: "--threads")
    }
    for name in ["--language", "--model", "--threads"] where !wantsTranscript && arguments.values[name] != nil {
      throw UsageError("\(name) is about text; leave out --no-transcript or \(name)")
    }
  }

  private static func origin(_ arguments: ParsedArguments) throws(UsageError) -> RecordingOrigin {
    let name = try TranscribeRequest.notEmpty("--source", arguments)
    if name == "-" { return .standardInput(try TranscribeRequest.rawFormat(arguments)) }
    for option in ["--encoding", "--rate", "--channels"] where arguments.values[option] != nil {
      throw UsageError("\(option) describes standard input; add --source -, or leave \(option) out")
    }
    return name.map(RecordingOrigin.device) ?? .standardDevice
  }

  private static func consent(_ arguments: ParsedArguments) throws(UsageError) -> ConsentAnswer {
    guard let text = arguments.values["--consent"] else {
      return arguments.flags.contains("--yes") ? .participants([ConsentAnswer.everyone]) : .ask
    }
    let references = ConsentQuestion.references(text)
    guard !references.isEmpty else {
      throw UsageError("--consent names nobody; name everyone who agreed, or add --yes if everyone present did")
    }
    return .participants(references)
  }

  private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ word: String, for option: String
  ) throws(UsageError) -> Choice {
    if let choice = Choice(rawValue: word) { return choice }
    let words = Choice.allCases.map(\.rawValue).joined(separator: " or ")
    throw UsageError("\(option) \(PlainText.line(word)) is unknown; write \(words)")
  }

  private static func format(_ name: String) throws(UsageError) -> RecordingFormat {
    guard let format = RecordingFormat(rawValue: name) else {
      let names = RecordingFormat.allCases.map(\.rawValue)
      let hint = Suggestion.phrase(for: name, among: names)
      throw UsageError(
        "unknown format \(PlainText.line(name))"
          + (hint.isEmpty ? "; there are \(names.joined(separator: ", "))" : hint)
      )
    }
    return format
  }
}
