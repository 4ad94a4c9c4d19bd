import AuricleAudio
import AuricleMedia
import AuricleRecognition
import AuricleSession

/// The format of what `transcribe` writes.
enum OutputFormat: Equatable, Sendable {
  /// A form of the report.
  case export(ReportExport)
  /// The live stream.
  case jsonl

  static let names = ["text", "json", "md", "srt", "vtt", "jsonl"]

  init?(name: String) {
    if name == "jsonl" {
      self = .jsonl
    } else if let export = ReportExport(rawValue: name) {
      self = .export(export)
    } else {
      return nil
    }
  }

  /// The extension of a file of the format.
  var fileExtension: String {
    switch self {
    case .export(let export): export.fileExtension
    case .jsonl: "jsonl"
    }
  }

  /// Whether several recordings cannot follow each other in one stream of the format.
  var isOnePerFile: Bool { self == .export(.srt) || self == .export(.vtt) }
}

/// Where audio comes from.
enum Input: Equatable, Sendable {
  case file(String)
  case standardInput

  /// What the user calls it.
  var name: String {
    switch self {
    case .file(let path): path
    case .standardInput: "-"
    }
  }

  /// What a person is told about it.
  var shownName: String {
    switch self {
    case .file(let path): path.isEmpty ? "''" : path
    case .standardInput: "standard input"
    }
  }
}

/// What `transcribe` is asked to do, checked.
struct TranscribeRequest: Equatable, Sendable {
  var inputs: [Input]
  var format = OutputFormat.export(.text)
  var output: String?
  var language: LanguageTag?
  var model: String?
  var threadCount: Int?
  var isRealTime = false
  var raw: RawFormat?

  /// How many threads may be asked for.
  static let threadCounts = 1...64

  /// Checks the words of the command.
  /// - Throws: ``UsageError``
  init(_ arguments: ParsedArguments) throws(UsageError) {
    inputs = arguments.operands.map { $0 == "-" ? .standardInput : .file($0) }
    if inputs.count(where: { $0 == .standardInput }) > 1 {
      throw UsageError("standard input can be read only once; give - once")
    }
    if let name = arguments.values["--format"] { format = try Self.format(name) }
    output = try Self.notEmpty("--output", arguments)
    model = try Self.notEmpty("--model", arguments)
    if let text = arguments.values["--language"] { language = try Self.language(text) }
    if let text = arguments.values["--threads"] {
      threadCount = try Self.number(text, within: Self.threadCounts, for: "--threads")
    }
    isRealTime = arguments.flags.contains("--realtime")
    raw = try Self.raw(arguments)
  }

  private static func format(_ name: String) throws(UsageError) -> OutputFormat {
    guard let format = OutputFormat(name: name) else {
      let hint = Suggestion.phrase(for: name, among: OutputFormat.names)
      let names = OutputFormat.names.joined(separator: ", ")
      throw UsageError("unknown format \(PlainText.line(name))" + (hint.isEmpty ? "; there are \(names)" : hint))
    }
    return format
  }

  static func language(_ text: String) throws(UsageError) -> LanguageTag {
    if text.lowercased() == "auto" {
      throw UsageError("--language auto is no language; leave --language out and the model decides")
    }
    guard let tag = LanguageTag(text) else {
      throw UsageError("malformed language tag \(PlainText.line(text)); write it like en, pt-BR or zh-Hant")
    }
    return tag
  }

  private static func raw(_ arguments: ParsedArguments) throws(UsageError) -> RawFormat? {
    guard arguments.flags.contains("--raw") else {
      for name in ["--encoding", "--rate", "--channels"] where arguments.values[name] != nil {
        throw UsageError("\(name) describes headerless audio; add --raw, or leave \(name) out")
      }
      return nil
    }
    return try rawFormat(arguments)
  }

  /// What the three options say about headerless PCM.
  static func rawFormat(_ arguments: ParsedArguments) throws(UsageError) -> RawFormat {
    let encoding = try encoding(arguments.values["--encoding", default: "s16le"])
    let rate = try number(
      arguments.values["--rate", default: "16000"], within: AudioFormat.sampleRates, for: "--rate")
    let channels = try number(
      arguments.values["--channels", default: "1"], within: AudioFormat.channelCounts, for: "--channels")
    do throws(AudioError) {
      return try RawFormat(encoding: encoding, sampleRate: rate, channelCount: channels)
    } catch {
      throw UsageError(error.message)
    }
  }

  private static func encoding(_ name: String) throws(UsageError) -> SampleEncoding {
    guard let encoding = SampleEncoding(rawValue: name) else {
      let names = SampleEncoding.allCases.map(\.rawValue)
      let hint = Suggestion.phrase(for: name, among: names)
      let advice = hint.isEmpty ? "; there are \(names.joined(separator: ", "))" : hint
      throw UsageError("unknown encoding \(PlainText.line(name))\(advice)")
    }
    return encoding
  }

  static func notEmpty(_ name: String, _ arguments: ParsedArguments) throws(UsageError) -> String? {
    guard let value = arguments.values[name] else { return nil }
    if value.isEmpty { throw UsageError("\(name) is empty; name a path, or leave \(name) out") }
    return value
  }

  static func number(
    _ text: String, within range: ClosedRange<Int>, for name: String
  ) throws(UsageError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      let shown = PlainText.line(text)
      throw UsageError("\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(shown)")
    }
    return number
  }
}
