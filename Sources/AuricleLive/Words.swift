/// Words as they are compared: without case and punctuation.
package enum Words {
  /// The words of a text as they are compared; a word of punctuation alone is none.
  package static func normalized(_ text: String) -> [String] {
    split(text).map(normalize).filter { !$0.isEmpty }
  }

  static func split(_ text: String) -> [Substring] {
    text.split(whereSeparator: \.isWhitespace)
  }

  static func normalize(_ word: Substring) -> String {
    String(word.lowercased().filter { $0.isLetter || $0.isNumber })
  }
}
