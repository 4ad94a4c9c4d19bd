/// A well-formed BCP 47 language tag (RFC 5646, section 2.1), without a look into the registry.
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
  /// The tag in its usual case: `en`, `zh-Hant`, `pt-BR`.
  public let description: String

  /// Creates a tag.
  /// - Returns: `nil` when the text is not well formed; `auto` is refused, since no tag means the recogniser's own choice.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard let language = parts.first, Self.isLanguage(language), language.lowercased() != "auto" else { return nil }
    guard Self.areSubtags(parts.dropFirst()) else { return nil }
    description = Self.canonical(parts)
  }

  /// The primary language: `en` of `en-GB`.
  public var primary: String { String(description.prefix { $0 != "-" }) }

  private static func isLanguage(_ part: String) -> Bool {
    (2...3).contains(part.count) && part.allSatisfy(\.isTagLetter)
  }

  /// Subtags are 2…8 letters or digits; one of a single character opens an extension and must be followed by another.
  private static func areSubtags(_ parts: ArraySlice<String>) -> Bool {
    var opened = false
    for part in parts {
      guard (1...8).contains(part.count), part.allSatisfy({ $0.isTagLetter || $0.isTagDigit }) else { return false }
      if part.count == 1 && opened { return false }
      opened = part.count == 1
    }
    return !opened
  }

  private static func canonical(_ parts: [String]) -> String {
    var isExtension = false
    let rest = parts.dropFirst().map { part -> String in
      defer { isExtension = isExtension || part.count == 1 }
      if isExtension || part.count == 1 { return part.lowercased() }
      if part.count == 2 { return part.uppercased() }
      if part.count == 4, part.first!.isTagLetter { return part.prefix(1).uppercased() + part.dropFirst().lowercased() }
      return part.lowercased()
    }
    return ([parts[0].lowercased()] + rest).joined(separator: "-")
  }
}

extension Character {
  fileprivate var isTagLetter: Bool { isASCII && isLetter }
  fileprivate var isTagDigit: Bool { isASCII && isNumber }
}
