import AuricleConsent
import AuricleSession

/// The question that comes before every recording, and what its answers mean.
enum ConsentQuestion {
  /// The revision of the words below, as reports have it: it changes with their meaning.
  static let policyRevision = "auricle-cli-1"

  /// What is asked on a terminal.
  static let text = """
    Everyone who can be heard must agree to be recorded. The recording stays on this machine.
    Has everyone present agreed? [y/N; or y and the names of those present: y Ann, Bob]\u{20}
    """

  /// Who agreed, after an answer; `nil` when nobody did. Only an answer that begins with yes is consent: a name alone may
  /// be meant as anything.
  static func participants(answer: String) -> [String]? {
    let words = answer.split(maxSplits: 1, whereSeparator: { $0.isWhitespace || $0 == ":" || $0 == "," })
    guard let first = words.first, ["y", "yes"].contains(first.lowercased()) else { return nil }
    let references = words.count > 1 ? references(String(words[1])) : []
    return references.isEmpty ? [ConsentAnswer.everyone] : references
  }

  /// References with commas between; a repeated one counts once.
  static func references(_ text: String) -> [String] {
    var references: [String] = []
    for part in text.split(separator: ",") {
      let reference = PlainText.line(String(part))
      if !reference.isEmpty, !references.contains(reference) { references.append(reference) }
    }
    return references
  }
}
