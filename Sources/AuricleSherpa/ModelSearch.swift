import AuricleRecognition

/// Where a model is looked for: the explicit folder, `AURICLE_MODEL`, the checkout's `.deps`, the user's data folder.
public struct ModelSearch: Sendable {
  /// Where to look: an explicit folder wins over the environment.
  public init(explicit: String?, environment: [String: String]) {}

  /// The first folder of the order that exists; an explicit one or one from the environment must exist.
  /// - Throws: ``AuricleRecognition/RecognitionError`` of kind `notConfigured`, with the command that mends it.
  public func find() throws(RecognitionError) -> ModelFolder {
    throw RecognitionError(.notConfigured, "no model is installed: run make setup")
  }
}
