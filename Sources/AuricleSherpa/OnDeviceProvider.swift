import AuricleAudio
import AuricleRecognition

/// The recogniser on this device: a model folder run by sherpa-onnx, shared by all sessions.
public struct OnDeviceProvider: RecognitionProvider {
  /// The engine's name.
  public let vendor = "sherpa-onnx"
  /// The model's name: that of its `model.json`, else that of the folder.
  public let model: String
  /// What the model can do.
  public let capabilities: ProviderCapabilities

  /// Loads a model into memory.
  /// - Parameters:
  ///   - folder: The model.
  ///   - workerCount: How many decodes may run at once, one thread each; `nil` takes as many as the machine has cores.
  /// - Throws: ``AuricleRecognition/RecognitionError`` of kind `notConfigured` or `invalidModel`.
  public init(folder: ModelFolder, workerCount: Int? = nil) throws(RecognitionError) {
    throw RecognitionError(.notConfigured, "the engine is not installed: run make setup")
  }

  /// Begins to listen.
  public func startSession(
    _ configuration: RecognitionConfiguration
  ) async throws(RecognitionError) -> any RecognitionSession {
    throw RecognitionError(.notConfigured, "the engine is not installed: run make setup")
  }
}
