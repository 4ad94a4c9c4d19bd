import AuricleRecognition
import Foundation

extension OnDeviceProvider {
  /// Finds the model, tries it where a failure does no harm if it is new, and loads it.
  ///
  /// A model that was found good is remembered in the user's cache folder, and tried again only when its files or the
  /// engine change.
  /// - Parameters:
  ///   - explicitModel: A model folder; `nil` takes that of ``ModelSearch``.
  ///   - language: The language to expect; `nil` leaves it to the model.
  ///   - workerCount: How many decodes may run at once, one thread each; `nil` takes as many as the machine has cores.
  ///   - environment: The environment of the process.
  ///   - probe: How a new model is tried; by default it is not, and a broken one may end the process.
  /// - Throws: `RecognitionError` of kind `notConfigured`, `invalidModel`, `languageUnsupported`, and
  ///   `cancelled` when the task was cancelled while a model was tried.
  public static func load(
    explicitModel: String? = nil, language: LanguageTag? = nil, workerCount: Int? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment, probe: ModelProbe = .none
  ) async throws(RecognitionError) -> OnDeviceProvider {
    let locations = InstallLocations(environment: environment)
    let folder = try ModelSearch(explicit: explicitModel, environment: environment, locations: locations).find()
    let model = try folder.inspect()
    try await tryOnce(
      model, language: language, locations: locations, cache: ProbeCache(environment: environment), probe: probe)
    let loaded = await OwnThread.run {
      Result { () throws(RecognitionError) in
        try OnDeviceProvider(model, language: language, workerCount: workerCount, locations: locations)
      }
    }
    return try loaded.get()
  }

  /// Loads a model and warms it up: what a probe does. May end the process when the model is bad.
  /// - Throws: `RecognitionError` of kind `notConfigured`, `invalidModel` or `languageUnsupported`.
  public static func probe(folder: ModelFolder, language: LanguageTag? = nil) async throws(RecognitionError) {
    let provider = try OnDeviceProvider(folder: folder, language: language, workerCount: 1)
    await provider.warmUp()
    let session = try await provider.startSession(RecognitionConfiguration(language: language))
    await session.cancel()
  }

  /// Tries a model that is new or was changed.
  static func tryOnce(
    _ model: InspectedModel, language: LanguageTag?, locations: InstallLocations, cache: ProbeCache, probe: ModelProbe
  ) async throws(RecognitionError) {
    _ = try LanguageChoice(known: model.languages).language(language)
    let library = try SherpaLibrary.shared()
    let needsDetector = !model.layout.kind.isStreaming
    let detector = needsDetector ? try DetectorSearch(folder: model.folder, locations: locations).find() : nil
    let told = model.layout.kind.takesLanguage ? language : nil
    let fingerprint = ModelFingerprint(
      model, detectorPath: detector, engineVersion: library.version, language: told)
    guard !cache.holds(fingerprint, of: model.folder) else { return }
    try await probe(ModelProbe.Request(folder: model.folder, language: told))
    if probe.isProof { cache.remember(fingerprint, of: model.folder) }
  }
}

extension ModelKind {
  /// Whether the engine is told the language when it loads the model.
  var takesLanguage: Bool { [.whisper, .senseVoice, .canary, .cohere].contains(self) }
}
