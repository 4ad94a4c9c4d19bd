import AuricleLive
import AuricleRecognition
import CSherpaOnnx

/// Silero's voice detector, window by window.
///
/// The engine's detector collects segments of its own; here only its answer for each window is used, so whatever it has
/// collected is emptied regularly, and memory stays flat however long somebody speaks.
final class SileroDetector: VoiceDetector {
  private static let emptyEvery = 300

  private let functions: AuricleSherpaFunctions
  private let handle: OpaquePointer
  private var windowsSinceEmptied = 0

  /// Loads the detector.
  /// - Parameter model: The path of `silero_vad.onnx`.
  init(library: SherpaLibrary, model: String) throws(RecognitionError) {
    functions = library.functions
    let created = model.withCString { path in
      "cpu".withCString { provider in
        var config = SherpaOnnxVadModelConfig()
        config.silero_vad.model = path
        // In at 0.5, out at 0.35 (the engine subtracts 0.15), each at once: how long is the segmenter's business.
        config.silero_vad.threshold = 0.5
        config.silero_vad.min_silence_duration = 0.001
        config.silero_vad.min_speech_duration = 0.001
        config.silero_vad.max_speech_duration = 100_000
        config.silero_vad.window_size = Int32(LivePolicy.windowLength)
        config.sample_rate = Int32(LivePolicy.sampleRate)
        config.num_threads = 1
        config.provider = provider
        return library.functions.SherpaOnnxCreateVoiceActivityDetector(&config, 30)
      }
    }
    guard let created else {
      throw RecognitionError(.invalidModel, "\(model) is no voice activity model: run make setup")
    }
    handle = created
  }

  deinit {
    functions.SherpaOnnxDestroyVoiceActivityDetector(handle)
  }

  func hearsSpeech(in window: [Float]) -> Bool {
    functions.SherpaOnnxVoiceActivityDetectorAcceptWaveform(handle, window, Int32(window.count))
    let speaks = functions.SherpaOnnxVoiceActivityDetectorDetected(handle) != 0
    windowsSinceEmptied += 1
    if windowsSinceEmptied >= Self.emptyEvery { empty() }
    return speaks
  }

  func reset() {
    functions.SherpaOnnxVoiceActivityDetectorReset(handle)
    windowsSinceEmptied = 0
  }

  private func empty() {
    windowsSinceEmptied = 0
    functions.SherpaOnnxVoiceActivityDetectorFlush(handle)
    while functions.SherpaOnnxVoiceActivityDetectorEmpty(handle) == 0 {
      functions.SherpaOnnxVoiceActivityDetectorPop(handle)
    }
  }
}
