import Testing

@testable import AuricleCLI

@Suite("The argument parser")
struct ArgumentParserTests {
  private let parser = ArgumentParser(commands: Commands.all)

  private func parsed(_ words: String...) throws -> ParsedArguments {
    guard case .command("transcribe", let arguments) = try parser.parse(["transcribe"] + words) else {
      throw UsageError("no transcription")
    }
    return arguments
  }

  private func message(_ words: [String]) -> String? {
    do throws(UsageError) {
      _ = try parser.parse(words)
      return nil
    } catch {
      return error.message
    }
  }

  @Test("Options may stand before, between and behind operands")
  func order() throws {
    let expected = ParsedArguments(
      operands: ["a.wav", "b.wav"], values: ["--format": "json", "--threads": "2"], flags: ["--raw"])
    #expect(try parsed("a.wav", "--format", "json", "b.wav", "--threads=2", "--raw") == expected)
    #expect(try parsed("--raw", "--threads", "2", "--format=json", "a.wav", "b.wav") == expected)
  }

  @Test("A value behind = may be empty, or hold = and dashes")
  func attached() throws {
    #expect(try parsed("a", "--output=").values["--output"] == "")
    #expect(try parsed("a", "--output=--x=y").values["--output"] == "--x=y")
  }

  @Test("-- ends the options, and - is an operand")
  func operands() throws {
    #expect(try parsed("--", "--format", "-h", "--").operands == ["--format", "-h", "--"])
    #expect(try parsed("-", "--raw").operands == ["-"])
    #expect(try parsed("a", "--output", "-").values["--output"] == "-")
    #expect(try parsed("").operands == [""])
  }

  @Test("The last of a repeated option counts")
  func repeated() throws {
    #expect(try parsed("a", "--format=md", "--format", "srt").values["--format"] == "srt")
    #expect(try parsed("a", "--raw", "--raw").flags == ["--raw"])
  }

  @Test("Help and version")
  func help() throws {
    #expect(try parser.parse(["--help"]) == .help(nil))
    #expect(try parser.parse(["-h"]) == .help(nil))
    #expect(try parser.parse(["--version"]) == .version)
    #expect(try parser.parse(["transcribe", "--help"]) == .help("transcribe"))
    #expect(try parser.parse(["transcribe", "a", "-h", "--nonsense"]) == .help("transcribe"))
    #expect(try parser.parse(["doctor", "-h"]) == .help("doctor"))
    #expect(try parser.parse(["help"]) == .help(nil) && parser.parse(["help", "record"]) == .help("record"))
    #expect(throws: UsageError.self) { try parser.parse(["help", "nonsense"]) }
  }

  @Test(
    "Every error is one line that says what to do",
    arguments: [
      ([], "no command given; try: auricle transcribe FILE, or auricle --help"),
      (["transcibe", "a"], "unknown command transcibe; did you mean transcribe?"),
      (["a.wav"], "unknown command a.wav; did you mean auricle transcribe a.wav?"),
      (["-"], "unknown command -; did you mean auricle transcribe -?"),
      (["dance"], "unknown command dance; there are transcribe, record, recover, devices, doctor, see auricle --help"),
      (["--versoin"], "unknown option --versoin; did you mean --version?"),
      (["--raw"], "unknown option --raw; the command comes first, see auricle --help"),
      (["transcribe"], "transcribe needs FILE…|-; see auricle transcribe --help"),
      (["transcribe", "--raw"], "transcribe needs FILE…|-; see auricle transcribe --help"),
      (["transcribe", "a", "--formt=md"], "unknown option --formt; did you mean --format?"),
      (["transcribe", "a", "--langauge", "en"], "unknown option --langauge; did you mean --language?"),
      (["transcribe", "a", "-x"], "unknown option -x; see auricle transcribe --help"),
      (["transcribe", "a", "--bananas"], "unknown option --bananas; see auricle transcribe --help"),
      (["transcribe", "a", "--format"], "--format needs a value; write --format=FORMAT"),
      (["transcribe", "a", "--format", "--raw"], "--format needs a value; write --format=FORMAT"),
      (["transcribe", "a", "--threads", "-1"], "--threads needs a value; write --threads=N"),
      (["transcribe", "a", "--raw=yes"], "--raw takes no value; write just --raw"),
      (["doctor", "x"], "doctor takes no operand; got 1"),
      (["probe-model"], "probe-model needs DIR; see auricle probe-model --help"),
      (["probe-model", "a", "b"], "probe-model takes only 1 operand; got 2"),
      (["transcribe", "a", "--\u{1B}[2J\n"], "unknown option -- [2J; see auricle transcribe --help"),
    ] as [([String], String)])
  func errors(words: [String], expected: String) {
    #expect(message(words) == expected)
  }

  @Test("Any words give an invocation or one harmless line, and never a trap", arguments: 0..<40)
  func fuzz(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let pieces =
      Commands.all.flatMap { [$0.name] + $0.options.map(\.name) } + [
        "-", "--", "-h", "=", "--format=", "json", "a.wav", "", "\u{1B}[31m", "\u{202E}", "\n", "--=", "-=x", "é", "👩‍👩‍👧",
        "--threads=99999999999999999999", "--rate=-1", String(repeating: "-", count: 100),
      ]
    for _ in 0..<200 {
      let words = (0..<random.next(below: 7)).map { _ in
        (0..<(1 + random.next(below: 2))).map { _ in pieces[random.next(below: pieces.count)] }.joined()
      }
      do throws(UsageError) {
        guard case .command("transcribe", let arguments) = try parser.parse(words) else { continue }
        _ = try TranscribeRequest(arguments)
      } catch {
        #expect(
          !error.message.isEmpty && !error.message.unicodeScalars.contains { $0.properties.generalCategory == .control }
        )
      }
    }
  }
}

@Suite("Suggestions")
struct SuggestionTests {
  @Test(
    "Distances",
    arguments: [
      ("", "", 0), ("a", "", 1), ("abc", "acb", 1), ("kitten", "sitting", 3), ("ABC", "abc", 0), ("ab", "ba", 1),
    ])
  func distance(left: String, right: String, expected: Int) {
    #expect(Suggestion.distance(left, right) == expected)
    #expect(Suggestion.distance(right, left) == expected)
  }

  @Test("Only what is close is suggested")
  func closest() {
    #expect(Suggestion.closest(to: "jsno", among: OutputFormat.names) == "json")
    #expect(Suggestion.closest(to: "pdf", among: OutputFormat.names) == nil)
    #expect(Suggestion.closest(to: String(repeating: "x", count: 10_000), among: ["json"]) == nil)
  }
}

@Suite("Help")
struct HelpTests {
  private let help = HelpText(commands: Commands.all)

  @Test("Every command and every option is in it, with examples; hidden ones are not")
  func complete() {
    for command in Commands.all where !command.isHidden {
      #expect(help.text(for: nil).contains("  \(command.name) "))
      let text = help.text(for: command.name)
      for option in command.options { #expect(text.contains(option.name)) }
      for example in command.examples { #expect(text.contains(example.line)) }
      #expect(text.contains("Examples:") && text.hasSuffix("\n"))
    }
    #expect(!help.text(for: nil).contains("probe-model"))
    #expect(help.text(for: nil).contains("auricle transcribe talk.wav"))
  }

  @Test("Lines fit a terminal, and every exit code that can happen is told")
  func lines() {
    for name in [nil] + Commands.all.filter({ !$0.isHidden }).map(\.name) {
      let text = help.text(for: name)
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 110 })
      for code in [0, 64, 65, 66, 69, 74, 77, 130] { #expect(text.contains("\n  \(code) ")) }
    }
  }

  @Test("Examples are command lines that parse")
  func examples() throws {
    for command in Commands.all {
      for example in command.examples {
        let line = example.line.split(separator: "|").last ?? ""
        let words = line.split(separator: " ").map(String.init)
        #expect(words.first == "auricle")
        _ = try ArgumentParser(commands: Commands.all).parse(Array(words.dropFirst()))
      }
    }
  }
}
