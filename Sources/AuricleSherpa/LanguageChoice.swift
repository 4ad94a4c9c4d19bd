import AuricleRecognition

/// The languages of a model, and what is made of a wish.
struct LanguageChoice: Sendable, Equatable {
  /// What the model knows, BCP 47; empty when nothing says.
  let known: [String]
  /// How many languages a message names.
  private static let shownLimit = 12

  /// The language that the texts will be in; `nil` when it is not known.
  /// - Parameter wanted: The language that is asked for; `nil` takes the model's own, if it has only one.
  /// - Throws: `RecognitionError` of kind `languageUnsupported`.
  func language(_ wanted: LanguageTag?) throws(RecognitionError) -> String? {
    guard let wanted else { return known.count == 1 ? known[0] : nil }
    guard !known.isEmpty, !primaries.contains(wanted.primary) else { return wanted.description }
    throw RecognitionError(
      .languageUnsupported, "the model does not know \(wanted): leave the language out, or take one of \(shown)")
  }

  private var primaries: [String] { known.map { LanguageTag($0)?.primary ?? $0 } }

  private var shown: String {
    let rest = known.count > Self.shownLimit ? " and \(known.count - Self.shownLimit) more" : ""
    return known.prefix(Self.shownLimit).joined(separator: ", ") + rest
  }
}
