import AuricleRecognition

/// What kind of model a folder holds, and which of its files are what: found from names and ONNX metadata alone.
struct ModelLayout: Sendable, Equatable {
  /// The kind.
  let kind: ModelKind
  /// The files that the engine is given, by name.
  let files: [ModelPart: String]
  /// The languages that it knows, BCP 47; empty when nothing says.
  let languages: [String]

  /// Finds out.
  /// - Parameters:
  ///   - listing: The names in the folder.
  ///   - hint: A name or kind of the model, asked where the files leave a doubt.
  ///   - metadata: The metadata of a file of the folder.
  /// - Throws: `RecognitionError` of kind `invalidModel`, naming what is missing.
  static func detect(
    _ listing: FolderListing, hint: String, metadata: (String) throws(RecognitionError) -> [String: String]
  ) throws(RecognitionError) -> ModelLayout {
    let parts = listing.parts()
    let told = parts[.encoder] ?? parts[.model]
    let properties = if let told { try metadata(told) } else { [String: String]() }
    let evidence = ModelEvidence(parts: parts, properties: properties, hint: hint.lowercased())
    guard let kind = evidence.kind else { throw RecognitionError(.invalidModel, evidence.failure) }
    for part in kind.parts where parts[part] == nil {
      throw RecognitionError(.invalidModel, "the \(kind.rawValue) model lacks its \(part.rawValue)")
    }
    let files = parts.filter { kind.parts.contains($0.key) }
    return ModelLayout(kind: kind, files: files, languages: evidence.languages(of: kind))
  }
}
