import AuricleSession

/// Lengths as people write them on a command line: `90s`, `5m`, `1.5h`, `1h30m`; a number alone is seconds.
enum DurationText {
  /// The longest length that may be asked for, in seconds: a week.
  static let longest = 7.0 * 86_400

  /// Reads a length.
  /// - Returns: Seconds, above 0.
  /// - Throws: ``UsageError``
  static func seconds(_ text: String, for name: String) throws(UsageError) -> Double {
    guard let seconds = sum(text.lowercased()), seconds.isFinite else {
      throw UsageError("\(name) must be a length like 90s, 5m, 2h or 1h30m, not \(PlainText.line(text))")
    }
    guard seconds > 0, seconds <= longest else {
      throw UsageError("\(name) must be longer than 0 and at most 168h, not \(PlainText.line(text))")
    }
    return seconds
  }

  private static func sum(_ text: String) -> Double? {
    if let seconds = number(text[...]) { return seconds }
    var rest = text[...]
    var total = 0.0
    var last = Double.infinity
    while !rest.isEmpty {
      guard let end = rest.firstIndex(where: { units[$0] != nil }), let factor = units[rest[end]],
        let number = number(rest[..<end]), factor < last
      else { return nil }
      total += number * factor
      last = factor
      rest = rest[rest.index(after: end)...]
    }
    return text.isEmpty ? nil : total
  }

  /// Digits with at most one point among them, and nothing else that Swift takes for a number.
  private static func number(_ text: Substring) -> Double? {
    guard text.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }) else { return nil }
    return Double(text)
  }

  private static let units: [Character: Double] = ["h": 3_600, "m": 60, "s": 1]
}
