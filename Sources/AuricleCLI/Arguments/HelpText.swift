/// Renders help from the table of commands, at most 100 columns wide.
struct HelpText {
  let commands: [CommandSpec]

  /// Help for one command, or for all.
  func text(for name: String?) -> String {
    guard let name, let command = commands.first(where: { $0.name == name }) else { return overview }
    return help(command)
  }

  private var overview: String {
    let visible = commands.filter { !$0.isHidden }
    let rows = visible.map { ($0.name, $0.summary + ".") }
    var blocks = ["auricle: recordings become text, on this machine.", "Usage: auricle COMMAND …"]
    blocks.append("Commands:\n" + table(rows))
    let options = [("-h, --help", "Show this help, or that of a command."), ("--version", "Show the version.")]
    blocks.append("Options:\n" + table(options))
    blocks.append("Examples:\n" + table(visible.compactMap(\.examples.first).map { ($0.line, $0.meaning) }))
    blocks.append(exitCodes)
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private func help(_ command: CommandSpec) -> String {
    let operands = command.operands.isEmpty ? "" : " " + command.operands
    var blocks = ["\(command.summary).", "Usage: auricle \(command.name)\(operands) [OPTION…]"]
    let rows = command.options.map { option in
      let names = [option.shortName, option.name].compactMap { $0 }.joined(separator: ", ")
      return (names + (option.value.map { " " + $0 } ?? ""), option.help)
    }
    blocks.append("Options:\n" + table(rows))
    blocks += command.notes
    if !command.examples.isEmpty {
      blocks.append("Examples:\n" + table(command.examples.map { ($0.line, $0.meaning) }))
    }
    blocks.append(exitCodes)
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var exitCodes: String {
    let rows = ExitCode.documented.map { ("\($0.code.rawValue)", $0.meaning) }
    return "Exit codes (of several files the highest):\n" + table(rows)
  }

  /// Two columns; what is too wide for the first pushes the second one down a line.
  private func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).filter { $0 <= 34 }.max() ?? 0
    return rows.map { left, right in
      let gap = left.count > width ? "\n" + String(repeating: " ", count: width + 4) : pad(left.count, to: width + 2)
      return "  " + left + gap + right
    }.joined(separator: "\n")
  }

  private func pad(_ count: Int, to width: Int) -> String { String(repeating: " ", count: width - count) }
}
