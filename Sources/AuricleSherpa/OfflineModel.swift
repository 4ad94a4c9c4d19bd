import AuricleLive
import AuricleRecognition
import CSherpaOnnx

/// A recogniser in memory that decodes whole segments.
///
/// Threading: the engine decodes different streams at once; each call here makes a stream of its own.
final class OfflineModel: SpeechDecoder, @unchecked Sendable {
  // The rule that makes it safe: the handle is set once and only read by the engine, whose recogniser keeps no state
  // between streams; OnDeviceProvider's contract test decodes on several threads under ThreadSanitizer.
  private let functions: AuricleSherpaFunctions
  private let handle: OpaquePointer
  private let memory = EngineMemory()

  init(library: SherpaLibrary, model: InspectedModel, language: String?) throws(RecognitionError) {
    functions = library.functions
    let config = OfflineConfig(model, language: language)
    guard let created = config.withUnsafe({ library.functions.SherpaOnnxCreateOfflineRecognizer($0) }) else {
      throw RecognitionError(
        .invalidModel, "the engine cannot load the model in \(model.folder.path): \(ModelFolder.advice)")
    }
    handle = created
  }

  private static let failure = RecognitionError(
    .failed, "the engine could not decode: is there memory left? start again")

  deinit {
    functions.SherpaOnnxDestroyOfflineRecognizer(handle)
  }

  func decode(_ samples: [Float]) throws(RecognitionError) -> String {
    let start = ContinuousClock.now
    let text = try recognize(samples)
    memory.decoded(samples, in: ContinuousClock.now - start) { [weak self] in _ = try? self?.recognize($0) }
    return text
  }

  private func recognize(_ samples: [Float]) throws(RecognitionError) -> String {
    guard let stream = functions.SherpaOnnxCreateOfflineStream(handle) else { throw Self.failure }
    defer { functions.SherpaOnnxDestroyOfflineStream(stream) }
    functions.SherpaOnnxAcceptWaveformOffline(stream, Int32(LivePolicy.sampleRate), samples, Int32(samples.count))
    functions.SherpaOnnxDecodeOfflineStream(handle, stream)
    guard let result = functions.SherpaOnnxGetOfflineStreamResult(stream) else { throw Self.failure }
    defer { functions.SherpaOnnxDestroyOfflineRecognizerResult(result) }
    return RecognizedText.clean(result.pointee.text.map { String(cString: $0) } ?? "")
  }
}
