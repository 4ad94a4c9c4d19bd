/// Makes foreign text harmless: words of a model, names of files, messages of libraries.
public enum PlainText {
  /// The text as a single line without anything that steers a terminal, a player or the direction of writing.
  ///
  /// Control characters, line breaks and runs of white space become one space; invisible formatting is dropped, but for
  /// the joiners that scripts and emoji need. Nothing stands at the ends.
  public static func line(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    var isSpacePending = false
    for scalar in text.unicodeScalars where !isDropped(scalar) {
      if isSpace(scalar) {
        isSpacePending = !line.isEmpty
        continue
      }
      if isSpacePending { line.append(" ") }
      isSpacePending = false
      line.append(scalar)
    }
    return String(line)
  }

  /// Whether a scalar may stand in output that a terminal shows.
  static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    !isDropped(scalar) && (scalar == " " || !isSpace(scalar))
  }

  /// White space, line and paragraph separators, and all control characters (Cc: C0, DEL, C1).
  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }

  /// Formatting (Cf: bidirectional overrides and isolates, byte order marks, tags …) and scalars that are no characters.
  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.generalCategory == .format { return !joiners.contains(scalar) }
    return scalar.properties.isNoncharacterCodePoint
  }

  /// ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER.
  private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]
}
