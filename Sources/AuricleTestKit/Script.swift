import AuricleRecognition

/// What a scripted recogniser does, and when.
public struct ScriptStep: Sendable {
  /// When a step is due.
  public enum Moment: Sendable, Equatable {
    /// As soon as so many frames were fed, gaps included; dropped when that never happens.
    case frame(Int64)
    /// When no more audio comes.
    case finish
  }

  /// What a step does.
  public enum Action: Sendable {
    /// Delivers a result; the sequence of a transcript is counted by the session.
    case deliver(RecognitionResult)
    /// Delivers an error and ends the stream, as a recogniser that cannot go on.
    case fail(RecognitionError)
    /// Holds everything up until a gate opens or the session is cancelled.
    case hold(ScriptGate)
  }

  /// When it is due.
  public let moment: Moment
  /// What it does.
  public let action: Action

  /// Creates a step.
  public init(_ moment: Moment, _ action: Action) {
    self.moment = moment
    self.action = action
  }

  /// The steps of one sentence: an unfinished text a word, each with all but its last two words promised, and the final.
  /// - Parameters:
  ///   - index: The sentence's index.
  ///   - text: Words with single spaces between.
  ///   - frames: Where it is said; the final is due at its end.
  ///   - language: The language, BCP 47.
  public static func sentence(
    _ index: Int, _ text: String, frames: Range<Int64>, language: String? = "en"
  ) -> [ScriptStep] {
    let words = text.split(separator: " ").map(String.init)
    let partials = words.indices.dropLast().map { last -> ScriptStep in
      let end = frames.lowerBound + Int64(frames.count) * Int64(last + 1) / Int64(words.count)
      let transcript = Transcript(
        sentenceIndex: index, text: words[...last].joined(separator: " "),
        stablePrefix: words[..<max(0, last - 1)].joined(separator: " "), isSentenceFinal: false,
        span: TimeSpan(frames: frames.lowerBound..<end, sampleRate: 16_000), languageCode: language, sequence: 0)
      return ScriptStep(.frame(end), .deliver(.transcript(transcript)))
    }
    let final = Transcript(
      sentenceIndex: index, text: text, stablePrefix: text, isSentenceFinal: true,
      span: TimeSpan(frames: frames, sampleRate: 16_000), languageCode: language, sequence: 0)
    return partials + [ScriptStep(.frame(frames.upperBound), .deliver(.transcript(final)))]
  }
}
