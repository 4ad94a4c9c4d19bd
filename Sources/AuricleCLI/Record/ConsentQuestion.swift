import AuricleConsent
import AuricleSession

/// The question that comes before every recording, and what its answers mean.
enum ConsentQuestion {
  /// The revision of the words below, as reports have it: it changes with their meaning.
  static let policyRevision = "auricle-cli-1"

  /// What is asked on a terminal.
  static let text = """
    Everyone who can be heard must agree to be recorded. The recording stays on this machine.
    Has everyone present agreed? [y/N, or the names of those present, with commas between]\u{20}
    """

  /// Who agreed, after an answer; `nil` when nobody did.
  static func participants(answer: String) -> [String]? {
    let word = answer.filter { !$0.isWhitespace }.lowercased()
    if ["", "n", "no"].contains(word) { return nil }
    if ["y", "yes"].contains(word) { return [ConsentAnswer.everyone] }
    let references = references(answer)
    return references.isEmpty ? nil : references
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
