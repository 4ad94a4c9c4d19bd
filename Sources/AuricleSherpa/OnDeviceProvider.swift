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

  private let engine: Engine
  private let queue: DecodeQueue
  /// The language that the model was loaded for.
  private let language: LanguageTag?
  /// Whether the engine was told that language and keeps to it.
  private let isBound: Bool

  /// What runs the model.
  private enum Engine: Sendable {
    /// Whole segments, found by a voice detector that each session makes from a file.
    case segments(OfflineModel, SherpaLibrary, detectorPath: String)
    /// Text comes while audio goes in.
    case streaming(OnlineModel)
  }

  /// Loads a model into memory. The engine ends the process when the files are bad: where they may be,
  /// use ``load(explicitModel:language:workerCount:environment:probe:)``.
  /// - Parameters:
  ///   - folder: The model.
  ///   - language: The language to expect, which some models must know when they are loaded; `nil` leaves it to the model.
  ///   - workerCount: How many decodes may run at once, one thread each; `nil` takes as many as the machine has cores.
  /// - Throws: `RecognitionError` of kind `notConfigured`, `invalidModel` or `languageUnsupported`.
  public init(
    folder: ModelFolder, language: LanguageTag? = nil, workerCount: Int? = nil
  ) throws(RecognitionError) {
    try self.init(
      folder.inspect(), language: language, workerCount: workerCount,
      locations: InstallLocations(environment: ProcessInfo.processInfo.environment))
  }

  init(
    _ inspected: InspectedModel, language: LanguageTag?, workerCount: Int?, locations: InstallLocations
  ) throws(RecognitionError) {
    let spoken = try LanguageChoice(known: inspected.languages).language(language)
    let library = try SherpaLibrary.shared()
    model = inspected.name
    self.language = language
    isBound = language != nil && inspected.layout.kind.takesLanguage
    capabilities = ProviderCapabilities(
      partialResults: true, diarization: false, offline: true, languages: inspected.languages)
    if inspected.layout.kind.isStreaming {
      engine = .streaming(try OnlineModel(library: library, model: inspected))
    } else {
      let detectorPath = try DetectorSearch(folder: inspected.folder, locations: locations).find()
      let primary = spoken.flatMap { LanguageTag($0)?.primary }
      engine = .segments(
        try OfflineModel(library: library, model: inspected, language: primary), library, detectorPath: detectorPath)
    }
    queue = DecodeQueue(workerCount: max(1, workerCount ?? ProcessInfo.processInfo.activeProcessorCount))
  }

  /// Begins to listen.
  /// - Throws: `RecognitionError` of kind `languageUnsupported`, when the model lacks the language.
  public func startSession(
    _ configuration: RecognitionConfiguration
  ) async throws(RecognitionError) -> any RecognitionSession {
    let spoken = try LanguageChoice(known: known).language(configuration.language ?? language)
    switch engine {
    case .segments(let decoder, let library, let detectorPath):
      return try LiveSession(configuration, language: spoken, decoder: decoder, queue: queue) {
        () throws(RecognitionError) in
        try SileroDetector(library: library, model: detectorPath)
      }
    case .streaming(let recognizer):
      return StreamingSession(configuration, language: spoken, stream: try recognizer.makeStream(), queue: queue)
    }
  }

  /// What a session can choose from: the language that the model was loaded for, if it keeps to that.
  private var known: [String] {
    if isBound, let language { return [language.description] }
    return capabilities.languages
  }

  /// Decodes a second of quiet noise, so that the first words do not pay for what the engine does once.
  public func warmUp() async {
    switch engine {
    case .segments(let decoder, _, _): await WarmUp.run(on: queue) { _ = try? decoder.decode(WarmUp.noise) }
    case .streaming(let recognizer):
      guard let stream = try? recognizer.makeStream() else { return }
      await WarmUp.run(on: queue) { _ = try? stream.perform([.hear(WarmUp.noise), .flush]) }
    }
  }
}
