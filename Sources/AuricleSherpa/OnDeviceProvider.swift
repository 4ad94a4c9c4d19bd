import AuricleAudio
import AuricleLive
import AuricleRecognition
import Foundation

/// The recogniser on this device: a model folder run by sherpa-onnx, shared by all sessions.
public struct OnDeviceProvider: RecognitionProvider {
  /// The engine's name.
  public let vendor = "sherpa-onnx"
  /// The model's name: that of its `model.json`, else that of the folder.
  public let model: String
  /// What the model can do.
  public let capabilities: ProviderCapabilities

  private let library: SherpaLibrary
  private let decoder: OfflineModel
  private let queue: DecodeQueue
  private let detectorPath: String

  /// Loads a model into memory.
  /// - Parameters:
  ///   - folder: The model.
  ///   - workerCount: How many decodes may run at once, one thread each; `nil` takes as many as the machine has cores.
  /// - Throws: ``AuricleRecognition/RecognitionError`` of kind `notConfigured` or `invalidModel`.
  public init(folder: ModelFolder, workerCount: Int? = nil) throws(RecognitionError) {
    library = try SherpaLibrary.shared()
    model = URL(fileURLWithPath: folder.path).lastPathComponent
    capabilities = ProviderCapabilities(partialResults: true, diarization: false, offline: true, languages: ["en"])
    decoder = try OfflineModel(
      library: library,
      config: .moonshine(
        folder: folder.path, encoder: folder.path + "/encoder_model.onnx",
        decoder: folder.path + "/decoder_model_merged.onnx", tokens: folder.path + "/tokens.txt"))
    queue = DecodeQueue(workerCount: workerCount ?? ProcessInfo.processInfo.activeProcessorCount)
    detectorPath = InstallLocations(environment: ProcessInfo.processInfo.environment).first("models/silero_vad.onnx")!
  }

  /// Begins to listen.
  public func startSession(
    _ configuration: RecognitionConfiguration
  ) async throws(RecognitionError) -> any RecognitionSession {
    try LiveSession(configuration, language: "en", decoder: decoder, queue: queue) {
      [library, detectorPath] () throws(RecognitionError) in
      try SileroDetector(library: library, model: detectorPath)
    }
  }
}
