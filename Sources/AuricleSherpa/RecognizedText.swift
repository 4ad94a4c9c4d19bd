/// What a model says, made fit to be shown: one line, no control characters, single spaces.
enum RecognizedText {
  static func clean(_ text: String) -> String {
    let visible = text.unicodeScalars.map { scalar -> Character in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: " "
      default: Character(scalar)
      }
    }
    return String(visible).split(separator: " ").joined(separator: " ")
  }
}
