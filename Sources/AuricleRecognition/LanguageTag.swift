/// A well-formed BCP 47 language tag (RFC 5646, section 2.1), without a look into the registry.
///
/// Refused, though the RFC has forms for them: languages of four to eight letters, of which none is registered, the
/// grandfathered irregular tags, and tags that are private as a whole. `auto` is refused too, since no tag at all means
/// the recogniser's own choice.
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
  /// The tag in its usual case: `en`, `zh-Hant`, `pt-BR`.
  public let description: String

  /// Creates a tag, whatever the case of its letters.
  /// - Returns: `nil` when the text is not well formed.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    var reader = SubtagReader(text)
    guard reader.readAll() else { return nil }
    description = reader.canonical.joined(separator: "-")
  }

  /// The primary language: `en` of `en-GB`.
  public var primary: String { String(description.prefix { $0 != "-" }) }

  /// More than any tag of the registry needs; keeps absurd input out of messages and reports.
  private static let longest = 128
}

/// Reads the subtags of a tag in the order of the grammar, and writes each in its usual case.
private struct SubtagReader {
  private(set) var canonical: [String] = []
  private var rest: ArraySlice<String>

  init(_ text: String) {
    rest = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)[...]
  }

  mutating func readAll() -> Bool {
    guard take({ (2...3).contains($0.utf8.count) && $0.isLetters }) else { return false }
    readLocale()
    guard readVariants(), readExtensions(), readPrivateUse() else { return false }
    return rest.isEmpty
  }

  /// Up to three extended languages, a script, a region.
  private mutating func readLocale() {
    for _ in 0..<3 where !take({ $0.utf8.count == 3 && $0.isLetters }) { break }
    if take({ $0.utf8.count == 4 && $0.isLetters }), let script = canonical.popLast() {
      canonical.append(script.prefix(1).uppercased() + script.dropFirst())
    }
    let isRegion = { (part: String) in
      part.utf8.count == 2 && part.isLetters || part.utf8.count == 3 && part.isDigits
    }
    if take(isRegion), let region = canonical.popLast() { canonical.append(region.uppercased()) }
  }

  /// Five to eight letters and digits, or four that begin with a digit; none twice.
  private mutating func readVariants() -> Bool {
    var seen: Set<String> = []
    let isVariant = { (part: String) in
      part.isLettersAndDigits && ((5...8).contains(part.utf8.count) || part.utf8.count == 4 && part.prefix(1).isDigits)
    }
    while take(isVariant) {
      guard seen.insert(canonical[canonical.count - 1]).inserted else { return false }
    }
    return true
  }

  /// A single letter or digit but x, and at least one subtag of two to eight behind it; no letter twice.
  private mutating func readExtensions() -> Bool {
    var seen: Set<String> = []
    while take({ $0.utf8.count == 1 && $0.isLettersAndDigits && $0.lowercased() != "x" }) {
      guard seen.insert(canonical[canonical.count - 1]).inserted else { return false }
      guard takeRun({ (2...8).contains($0.utf8.count) && $0.isLettersAndDigits }) else { return false }
    }
    return true
  }

  /// An x, and at least one subtag of one to eight behind it.
  private mutating func readPrivateUse() -> Bool {
    guard take({ $0.lowercased() == "x" }) else { return true }
    return takeRun { (1...8).contains($0.utf8.count) && $0.isLettersAndDigits }
  }

  private mutating func takeRun(_ matches: (String) -> Bool) -> Bool {
    guard take(matches) else { return false }
    while take(matches) {}
    return true
  }

  private mutating func take(_ matches: (String) -> Bool) -> Bool {
    guard let part = rest.first, matches(part) else { return false }
    canonical.append(part.lowercased())
    rest.removeFirst()
    return true
  }
}

extension StringProtocol {
  fileprivate var isLetters: Bool { utf8.allSatisfy { isLetter($0) } }
  fileprivate var isDigits: Bool { utf8.allSatisfy { isDigit($0) } }
  fileprivate var isLettersAndDigits: Bool { utf8.allSatisfy { isLetter($0) || isDigit($0) } }
}

private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
