import AuricleRecognition
import AuricleSherpa

/// Makes the recogniser of the real world. What is known of `AuricleSherpa` is known here and in the checks.
enum EngineFactory {
  /// Finds and loads the model.
  static func load(_ request: ProviderRequest) async throws(RecognitionError) -> any RecognitionProvider {
    let folder = try ModelSearch(explicit: request.model, environment: request.environment).find()
    return try OnDeviceProvider(folder: folder, workerCount: request.threadCount)
  }

  /// Loads a folder as the child process that may fail.
  static func probe(_ path: String) async throws(RecognitionError) {
    _ = try OnDeviceProvider(folder: ModelFolder(path: path), workerCount: 1)
  }
}
