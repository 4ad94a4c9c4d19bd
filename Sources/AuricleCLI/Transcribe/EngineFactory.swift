import AuricleRecognition
import AuricleSherpa
import Foundation

/// Makes the recogniser of the real world. What is known of `AuricleSherpa` is known here and in the checks.
enum EngineFactory {
  /// Finds and loads the model; one that is new is tried in a child process before.
  static func load(_ request: ProviderRequest) async throws(RecognitionError) -> any RecognitionProvider {
    EngineMemory.returnLargeBlocks()
    return try await OnDeviceProvider.load(
      explicitModel: request.model, language: request.language, workerCount: request.threadCount,
      environment: request.environment, probe: .childProcess(executable: ownPath, arguments: [Commands.probeModel.name])
    )
  }

  /// Loads a folder as the child process that may fail.
  static func probe(_ path: String, language: LanguageTag?) async throws(RecognitionError) {
    try await OnDeviceProvider.probe(folder: ModelFolder(path: path), language: language)
  }

  /// The path of this program.
  private static var ownPath: String {
    #if os(Linux)
      if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") { return path }
    #endif
    return Bundle.main.executablePath ?? CommandLine.arguments[0]
  }
}
