import AuricleSession

/// What a command line asks for.
enum Invocation: Equatable {
  /// Help for a command, or for all when `nil`.
  case help(String?)
  /// The version.
  case version
  /// A command.
  case command(String, ParsedArguments)
}

/// The words of a command, sorted out.
struct ParsedArguments: Equatable {
  /// Words that are no options, in order.
  var operands: [String] = []
  /// The values of options that take one; of a repeated option the last counts.
  var values: [String: String] = [:]
  /// The options that take none.
  var flags: Set<String> = []
}

/// Sorts out a command line by a table of commands.
///
/// Options may follow operands; a value follows its option as the next word or behind `=`; `--` ends the options; `-` is
/// an operand.
struct ArgumentParser {
  let commands: [CommandSpec]

  /// Parses the words behind the program's name.
  /// - Throws: ``UsageError``
  func parse(_ words: [String]) throws(UsageError) -> Invocation {
    guard let first = words.first else {
      throw UsageError("no command given; try: auricle transcribe FILE, or auricle --help")
    }
    switch first {
    case "--help", "-h": return .help(nil)
    case "--version": return .version
    case "help": return try help(words.dropFirst())
    default: break
    }
    guard let command = commands.first(where: { $0.name == first }) else { throw unknownCommand(first) }
    return try parse(words.dropFirst(), of: command)
  }

  /// As other tools have it: `help` alone, or with a command's name.
  private func help(_ words: ArraySlice<String>) throws(UsageError) -> Invocation {
    guard let name = words.first(where: { !$0.hasPrefix("-") }) else { return .help(nil) }
    guard commands.contains(where: { $0.name == name }) else { throw unknownCommand(name) }
    return .help(name)
  }

  private func parse(_ words: ArraySlice<String>, of command: CommandSpec) throws(UsageError) -> Invocation {
    var arguments = ParsedArguments()
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" {
        arguments.operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        arguments.operands.append(word)
        continue
      }
      let (option, attached) = try option(word, of: command)
      if option.name == "--help" { return .help(command.name) }
      try take(option, attached: attached, from: &rest, into: &arguments)
    }
    try checkOperandCount(arguments.operands.count, of: command)
    return .command(command.name, arguments)
  }

  private func option(
    _ word: String, of command: CommandSpec
  ) throws(UsageError) -> (option: OptionSpec, attached: String?) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    guard let option = command.options.first(where: { $0.isNamed(name) }) else {
      let hint = Suggestion.phrase(for: name, among: command.options.map(\.name))
      let advice = hint.isEmpty ? "; see auricle \(command.name) --help" : hint
      throw UsageError("unknown option \(PlainText.line(name))\(advice)")
    }
    return (option, parts.count > 1 ? parts[1] : nil)
  }

  private func take(
    _ option: OptionSpec, attached: String?, from rest: inout ArraySlice<String>, into arguments: inout ParsedArguments
  ) throws(UsageError) {
    guard let placeholder = option.value else {
      guard attached == nil else { throw UsageError("\(option.name) takes no value; write just \(option.name)") }
      arguments.flags.insert(option.name)
      return
    }
    if let attached {
      arguments.values[option.name] = attached
    } else if let next = rest.first, next == "-" || !next.hasPrefix("-") {
      arguments.values[option.name] = rest.removeFirst()
    } else {
      throw UsageError("\(option.name) needs a value; write \(option.name)=\(placeholder)")
    }
  }

  private func checkOperandCount(_ count: Int, of command: CommandSpec) throws(UsageError) {
    if count < command.operandCount.lowerBound {
      throw UsageError("\(command.name) needs \(command.operands); see auricle \(command.name) --help")
    }
    if count > command.operandCount.upperBound {
      let most = command.operandCount.upperBound
      throw UsageError("\(command.name) takes \(most == 0 ? "no" : "only \(most)") operand; got \(count)")
    }
  }

  private func unknownCommand(_ word: String) -> UsageError {
    let shown = PlainText.line(word)
    if word.hasPrefix("-") && word != "-" {
      let hint = Suggestion.phrase(for: word, among: ["--help", "--version"])
      let advice = hint.isEmpty ? "; the command comes first, see auricle --help" : hint
      return UsageError("unknown option \(shown)\(advice)")
    }
    let names = commands.filter { !$0.isHidden }.map(\.name)
    if let name = Suggestion.closest(to: word, among: names) {
      return UsageError("unknown command \(shown); did you mean \(name)?")
    }
    if word == "-" || word.contains(".") || word.contains("/") {
      return UsageError("unknown command \(shown); did you mean auricle transcribe \(shown)?")
    }
    return UsageError("unknown command \(shown); there are \(names.joined(separator: ", ")), see auricle --help")
  }
}
