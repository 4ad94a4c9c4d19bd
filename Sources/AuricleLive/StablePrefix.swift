/// Decides which words of a growing sentence are promised.
///
/// A word is promised when several partials in a row agree on it and on all before it, and enough words stand behind it.
/// Words are compared without case and punctuation.
package struct StablePrefix: Sendable {
  private let heldBackWords: Int
  private let agreeingPartials: Int
  private var recent: [[String]] = []
  /// The promised words, as they were written when they were promised.
  private var promisedText = ""
  /// The promised words, as they are compared.
  package private(set) var promised: [String] = []

  /// Creates a prefix that promises nothing yet.
  package init(policy: LivePolicy = LivePolicy()) {
    heldBackWords = policy.heldBackWords
    agreeingPartials = max(1, policy.agreeingPartials)
  }

  /// Takes the next partial text.
  /// - Returns: The text to show, which begins with the promised words, and the part of it that is promised.
  package mutating func take(_ text: String) -> (text: String, stablePrefix: String) {
    let honest = honouring(text)
    let words = Words.normalized(honest)
    recent.append(words)
    if recent.count > agreeingPartials { recent.removeFirst() }
    if recent.count == agreeingPartials { promise(Self.agreement(recent), of: honest) }
    return (honest, Self.prefix(of: honest, wordCount: promised.count))
  }

  /// The final text: the best decode, with the promised words in front should it contradict them.
  package func final(_ text: String) -> String {
    honouring(text)
  }

  /// Whether a text does not begin with the promised words.
  package func isContradicted(by text: String) -> Bool {
    !Words.normalized(text).starts(with: promised)
  }

  private mutating func promise(_ agreed: [String], of text: String) {
    let shortest = recent.map(\.count).min() ?? 0
    let count = min(agreed.count, shortest - heldBackWords)
    guard count > promised.count else { return }
    promised = Array(agreed.prefix(count))
    promisedText = Self.prefix(of: text, wordCount: count)
  }

  private static func agreement(_ texts: [[String]]) -> [String] {
    guard var agreed = texts.first else { return [] }
    for text in texts.dropFirst() {
      agreed = Array(zip(agreed, text).prefix { $0 == $1 }.map(\.0))
    }
    return agreed
  }

  /// The text itself when it begins with the promised words; else those words and what follows them in the text.
  private func honouring(_ text: String) -> String {
    guard isContradicted(by: text) else { return text }
    // The rest begins where the text has as many words as were promised: a replaced word keeps its place.
    let rest = Self.suffix(of: text, afterWordCount: promised.count)
    return (promisedText + " " + rest).trimmingSpaces()
  }

  /// The beginning of a text up to and with its n-th word, as written.
  static func prefix(of text: String, wordCount: Int) -> String {
    var count = 0
    var end = text.startIndex
    for word in Words.split(text) where count < wordCount {
      if !Words.normalize(word).isEmpty { count += 1 }
      end = word.endIndex
    }
    return wordCount == 0 ? "" : String(text[..<end])
  }

  private static func suffix(of text: String, afterWordCount wordCount: Int) -> String {
    String(text.dropFirst(prefix(of: text, wordCount: wordCount).count))
  }
}

extension String {
  fileprivate func trimmingSpaces() -> String {
    Words.split(self).joined(separator: " ")
  }
}
