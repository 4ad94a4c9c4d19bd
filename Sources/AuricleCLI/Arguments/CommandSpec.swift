/// An option as a row of a table.
struct OptionSpec: Sendable {
  /// The name with its dashes: `--format`.
  let name: String
  /// What stands for the value in the help; `nil` when the option takes none.
  let value: String?
  /// One line of help.
  let help: String
  /// A second name: `-h`.
  let shortName: String?

  init(_ name: String, value: String? = nil, shortName: String? = nil, help: String) {
    self.name = name
    self.value = value
    self.help = help
    self.shortName = shortName
  }

  func isNamed(_ text: String) -> Bool { text == name || text == shortName }
}

/// A command as a row of a table.
struct CommandSpec: Sendable {
  /// The word that names it.
  let name: String
  /// One line of help, without a full stop.
  let summary: String
  /// The operands in the usage line; empty when there are none.
  let operands: String
  /// How many operands it takes.
  let operandCount: ClosedRange<Int>
  /// Its options; `--help` is added to all.
  let options: [OptionSpec]
  /// What it needs to be said beside the options; a paragraph each.
  let notes: [String]
  /// Command lines to copy, each with what it does.
  let examples: [(line: String, meaning: String)]
  /// Whether the help says nothing of it.
  let isHidden: Bool

  init(
    _ name: String, summary: String, operands: String = "", operandCount: ClosedRange<Int> = 0...0,
    options: [OptionSpec] = [], notes: [String] = [], examples: [(line: String, meaning: String)] = [],
    isHidden: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandCount = operandCount
    self.options = options + [OptionSpec("--help", shortName: "-h", help: "Show this help.")]
    self.notes = notes
    self.examples = examples
    self.isHidden = isHidden
  }
}
