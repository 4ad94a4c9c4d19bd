/// What a task is told about its audio and how to hear it (`payload.parameters`).
///
/// `nil` is not sent, so the service's own default counts. What has no name here goes into ``others``.
public struct TaskParameters: Sendable, Equatable {
  /// How the audio is written: `pcm`, `wav`, `mp3`, `opus`, `speex`, `aac` or `amr`.
  public var format: String
  /// Frames per second.
  public var sampleRate: Int
  /// The id of a stored list of words.
  public var vocabularyID: String?
  /// Words and their weights, 1 to 5, or 50.
  public var vocabulary: [String: Int]?
  /// How long a silence closes a sentence, in milliseconds, 200 to 6,000.
  public var maxSentenceSilence: Int?
  /// Whether the connection outlives a long silence. Silent audio has to be sent all the same.
  public var heartbeat: Bool?
  /// What is noise and what is speech, -1 to 1.
  public var speechNoiseThreshold: Double?
  /// Whether filler words are left out.
  public var disfluencyRemoval: Bool?
  /// Whether texts of unfinished sentences come; the message model is silent about them by default.
  public var intermediateResults: Bool?
  /// Languages to expect.
  public var languageHints: [String]?
  /// Whether sentences are split by their meaning instead of by silence.
  public var semanticPunctuation: Bool?
  /// Whether over-long sentences are avoided.
  public var multiThresholdMode: Bool?
  /// Whether punctuation is put.
  public var punctuationPrediction: Bool?
  /// Whether spoken numbers become digits.
  public var inverseTextNormalization: Bool?
  /// Everything else, by its name on the wire; passed through.
  public var others: [String: JSONValue]

  /// Creates parameters.
  public init(format: String = "pcm", sampleRate: Int = 16_000, others: [String: JSONValue] = [:]) {
    self.format = format
    self.sampleRate = sampleRate
    self.others = others
  }

  /// Everything by its name on the wire. A name that is typed here wins over the same one in ``others``.
  var json: JSONValue {
    let typed: [String: JSONValue?] = [
      "format": .string(format), "sample_rate": .integer(sampleRate),
      "vocabulary_id": vocabularyID.map { .string($0) },
      "vocabulary": vocabulary.map { .object($0.mapValues { .integer($0) }) },
      "max_sentence_silence": maxSentenceSilence.map { .integer($0) },
      "heartbeat": heartbeat.map { .bool($0) },
      "speech_noise_threshold": speechNoiseThreshold.map { .number($0) },
      "disfluency_removal_enabled": disfluencyRemoval.map { .bool($0) },
      "intermediate_result_enabled": intermediateResults.map { .bool($0) },
      "language_hints": languageHints.map { .array($0.map { .string($0) }) },
      "semantic_punctuation_enabled": semanticPunctuation.map { .bool($0) },
      "multi_threshold_mode_enabled": multiThresholdMode.map { .bool($0) },
      "punctuation_prediction_enabled": punctuationPrediction.map { .bool($0) },
      "inverse_text_normalization_enabled": inverseTextNormalization.map { .bool($0) },
    ]
    return .object(others.merging(typed.compactMapValues { $0 }) { $1 })
  }

  /// Reads what a client says. What cannot be understood counts as not said; `format` and `sample_rate` are needed.
  init(json: JSONValue) throws(WireError) {
    guard let format = json["format"]?.text, let rate = json["sample_rate"]?.wholeNumber, rate > 0 else {
      throw WireError("Missing required parameter 'format' or 'sample_rate'.")
    }
    self.init(format: format, sampleRate: rate)
    vocabularyID = json["vocabulary_id"]?.text
    if case .object(let words)? = json["vocabulary"] { vocabulary = words.compactMapValues(\.wholeNumber) }
    maxSentenceSilence = json["max_sentence_silence"]?.wholeNumber
    heartbeat = json["heartbeat"]?.truth
    switch json["speech_noise_threshold"] {
    case .number(let value)?: speechNoiseThreshold = value
    case .integer(let value)?: speechNoiseThreshold = Double(value)
    default: break
    }
    disfluencyRemoval = json["disfluency_removal_enabled"]?.truth
    intermediateResults = json["intermediate_result_enabled"]?.truth
    if case .array(let hints)? = json["language_hints"] { languageHints = hints.compactMap(\.text) }
    semanticPunctuation = json["semantic_punctuation_enabled"]?.truth
    multiThresholdMode = json["multi_threshold_mode_enabled"]?.truth
    punctuationPrediction = json["punctuation_prediction_enabled"]?.truth
    inverseTextNormalization = json["inverse_text_normalization_enabled"]?.truth
    guard case .object(let all) = json else { return }
    others = all.filter { !Self.names.contains($0.key) }
  }

  /// The names that are typed.
  private static let names: Set<String> = [
    "format", "sample_rate", "vocabulary_id", "vocabulary", "max_sentence_silence", "heartbeat",
    "speech_noise_threshold", "disfluency_removal_enabled", "intermediate_result_enabled", "language_hints",
    "semantic_punctuation_enabled", "multi_threshold_mode_enabled", "punctuation_prediction_enabled",
    "inverse_text_normalization_enabled",
  ]
}
