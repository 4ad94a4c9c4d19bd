import AuricleRecognition
import CSherpaOnnx

/// A streaming recogniser in memory.
///
/// Threading: the engine decodes different streams at once.
final class OnlineModel: @unchecked Sendable {
  // The rule that makes it safe: the handle is set once and only read by the engine, whose recogniser keeps no state
  // between streams.
  private let functions: AuricleSherpaFunctions
  private let handle: OpaquePointer

  init(library: SherpaLibrary, model: InspectedModel) throws(RecognitionError) {
    functions = library.functions
    let config = OnlineConfig(model)
    guard let created = config.withUnsafe({ library.functions.SherpaOnnxCreateOnlineRecognizer($0) }) else {
      throw RecognitionError(
        .invalidModel, "the engine cannot load the model in \(model.folder.path): \(ModelFolder.advice)")
    }
    handle = created
  }

  deinit {
    functions.SherpaOnnxDestroyOnlineRecognizer(handle)
  }

  /// Begins to listen.
  /// - Throws: `RecognitionError` of kind `failed`.
  func makeStream() throws(RecognitionError) -> OnlineStream {
    guard let stream = begin() else {
      throw RecognitionError(.failed, "the engine cannot begin to listen: load the model again")
    }
    return OnlineStream(model: self, stream: stream)
  }

  // MARK: - The engine's functions, for the stream

  func begin() -> OpaquePointer? { functions.SherpaOnnxCreateOnlineStream(handle) }

  func end(_ stream: OpaquePointer) { functions.SherpaOnnxDestroyOnlineStream(stream) }

  /// Takes samples at 16,000 Hz and decodes what is whole.
  func hear(_ samples: [Float], _ stream: OpaquePointer) {
    functions.SherpaOnnxOnlineStreamAcceptWaveform(stream, 16_000, samples, Int32(samples.count))
    decode(stream)
  }

  /// Decodes what is left; the stream takes no more audio.
  func finish(_ stream: OpaquePointer) {
    functions.SherpaOnnxOnlineStreamInputFinished(stream)
    decode(stream)
  }

  /// The text since the last end, and whether the engine has found its end.
  func hypothesis(_ stream: OpaquePointer) -> StreamingHypothesis {
    let isEnd = functions.SherpaOnnxOnlineStreamIsEndpoint(handle, stream) != 0
    guard let result = functions.SherpaOnnxGetOnlineStreamResult(handle, stream) else {
      return StreamingHypothesis(text: "", startSeconds: nil, isEnd: isEnd)
    }
    defer { functions.SherpaOnnxDestroyOnlineRecognizerResult(result) }
    let text = RecognizedText.clean(result.pointee.text.map { String(cString: $0) } ?? "")
    return StreamingHypothesis(text: text, startSeconds: text.isEmpty ? nil : Self.start(result.pointee), isEnd: isEnd)
  }

  /// Begins the next sentence.
  func reset(_ stream: OpaquePointer) { functions.SherpaOnnxOnlineStreamReset(handle, stream) }

  private func decode(_ stream: OpaquePointer) {
    while functions.SherpaOnnxIsOnlineStreamReady(handle, stream) != 0 {
      functions.SherpaOnnxDecodeOnlineStream(handle, stream)
    }
  }

  /// Token times count from the sentence's begin, and only the JSON form of a result says where that is.
  private static func start(_ result: SherpaOnnxOnlineRecognizerResult) -> Double? {
    guard result.count > 0, let times = result.timestamps, let json = result.json else { return nil }
    let seconds = StreamingHypothesis.sentenceStart(json: String(cString: json)) ?? 0
    let start = seconds + Double(times[0])
    return start.isFinite && start >= 0 ? start : nil
  }
}
