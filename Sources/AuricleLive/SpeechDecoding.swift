import AuricleRecognition

/// A recogniser that turns a piece of audio into text, as often as asked.
///
/// Threading: called from several threads at once.
public protocol SpeechDecoder: Sendable {
  /// Decodes mono samples at 16,000 Hz. Blocks until done.
  /// - Returns: The text; empty when there are no words.
  /// - Throws: `RecognitionError` of kind `failed`, when the recogniser could not do its work.
  func decode(_ samples: [Float]) throws(RecognitionError) -> String
}

/// Tells speech from everything else, window by window. One is made for each session.
///
/// Threading: used by one session, one call at a time.
public protocol VoiceDetector: AnyObject {
  /// Hears the next ``LivePolicy/windowLength`` samples at 16,000 Hz.
  /// - Returns: Whether somebody speaks.
  func hearsSpeech(in window: [Float]) -> Bool
  /// Forgets what was heard, since the audio does not go on where it was.
  func reset()
}

/// The attempts at one piece of audio, in order; the first text that can have been said is taken.
///
/// The model at times answers clear speech with nothing, mostly when silence leads; a slightly different cut mends it.
struct DecodeAttempts: Sendable {
  private static let padding = [Float](repeating: 0, count: Int(0.3 * Double(LivePolicy.sampleRate)))
  private static let shift = Int(0.1 * Double(LivePolicy.sampleRate))

  let request: DecodeRequest
  let policy: LivePolicy
  /// The samples of the request's frames.
  let samples: [Float]

  /// Decodes until a text can be taken. Loops are cut off the last resort rather than losing all words.
  func run(_ decode: ([Float]) throws(RecognitionError) -> String) throws(RecognitionError) -> String {
    // Silence behind, so that the last word is not guessed at.
    if request.urgency.isPartial { return try decode(samples + Self.padding) }
    var rejected = ""
    for attempt in 0..<attemptCount {
      let text = try decode(audio(attempt))
      if text.isEmpty { continue }
      if TextGuard.accepts(text, seconds: Double(samples.count) / Double(LivePolicy.sampleRate)) { return text }
      if rejected.isEmpty { rejected = text }
    }
    return salvage(rejected)
  }

  /// How much of the silence that belongs behind a segment is missing, since the audio ended there or was cut.
  private var missingSilence: Int {
    Int(max(0, policy.frames(policy.longFinalAfter) - request.trailingFrameCount))
  }

  private var attemptCount: Int {
    request.speechFrameCount >= policy.frames(policy.retrySpeech) ? 6 : 1
  }

  private func audio(_ attempt: Int) -> [Float] {
    let onset = Int(request.onsetFrame - request.frames.lowerBound)
    let cut = Array(samples.dropFirst(onset))
    switch attempt {
    case 0: return samples + [Float](repeating: 0, count: missingSilence)
    case 1: return cut
    case 2: return Self.padding + cut
    case 3: return cut + Self.padding
    case 4: return Array(cut.dropFirst(Self.shift))
    default: return Self.padding + cut + Self.padding
    }
  }

  private func salvage(_ text: String) -> String {
    let unlooped = TextGuard.withoutLoop(text)
    let seconds = Double(samples.count) / Double(LivePolicy.sampleRate)
    return TextGuard.accepts(unlooped, seconds: seconds) ? unlooped : ""
  }
}
