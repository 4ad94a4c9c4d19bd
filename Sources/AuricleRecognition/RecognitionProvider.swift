import AuricleAudio

/// What a session asks of a recogniser.
public struct RecognitionConfiguration: Sendable, Equatable {
  /// The language to expect; `nil` leaves it to the recogniser.
  public var language: LanguageTag?
  /// Whether texts of unfinished sentences are wanted.
  public var wantsPartialResults: Bool
  /// Whether speakers are to be told apart; a recogniser that cannot do it gives words without speakers.
  public var wantsSpeakerDiarization: Bool

  /// Creates a configuration.
  public init(
    language: LanguageTag? = nil, wantsPartialResults: Bool = true, wantsSpeakerDiarization: Bool = false
  ) {
    self.language = language
    self.wantsPartialResults = wantsPartialResults
    self.wantsSpeakerDiarization = wantsSpeakerDiarization
  }
}

/// What a recogniser can do.
public struct ProviderCapabilities: Sendable, Equatable {
  /// Whether words come while people speak.
  public let streaming: Bool
  /// Whether texts of unfinished sentences come.
  public let partialResults: Bool
  /// Whether speakers are told apart.
  public let diarization: Bool
  /// Whether it works without a network.
  public let offline: Bool
  /// The languages it knows, BCP 47; empty when it cannot say.
  public let languages: [String]
  /// The rates that it takes, in frames per second.
  public let sampleRates: [Int]

  /// Creates a set of capabilities.
  public init(
    streaming: Bool = true, partialResults: Bool, diarization: Bool, offline: Bool, languages: [String],
    sampleRates: [Int] = [AudioFormat.speech.sampleRate]
  ) {
    self.streaming = streaming
    self.partialResults = partialResults
    self.diarization = diarization
    self.offline = offline
    self.languages = languages
    self.sampleRates = sampleRates
  }
}

/// A recogniser: on this device or elsewhere.
public protocol RecognitionProvider: Sendable {
  /// Who makes the recogniser, as it stands in reports.
  var vendor: String { get }
  /// Which model it is and of which version, as it stands in reports.
  var model: String { get }
  /// What it can do.
  var capabilities: ProviderCapabilities { get }

  /// Begins to listen.
  /// - Throws: ``RecognitionError``, when the configuration cannot be honoured.
  func startSession(_ configuration: RecognitionConfiguration) async throws(RecognitionError) -> any RecognitionSession
}

/// What a recogniser delivers, in one ordered stream.
public enum RecognitionResult: Sendable, Equatable {
  /// Words.
  case transcript(Transcript)
  /// Something beside the words.
  case event(SessionEvent)
  /// A failure. The session says with the end of its results whether it could go on.
  case error(RecognitionError)
}

/// One stretch of listening.
///
/// One task feeds, another one reads ``results``. Audio is 16,000 Hz mono (`AudioFormat.speech`), blocks and
/// gaps in order, without a hole in the numbering.
public protocol RecognitionSession: Sendable {
  /// Everything that the session delivers. Read once. Ends after the last result, whatever happened.
  var results: ResultStream { get }

  /// Takes the next chunk. Waits while the session has as much to do as it may hold, so a fast feeder is slowed down;
  /// who must not wait keeps the audio elsewhere.
  /// - Throws: ``RecognitionError`` of kind `cancelled` after ``cancel()``.
  func accept(_ chunk: AudioChunk) async throws(RecognitionError)

  /// Says that no more audio comes. The last results and the end of the stream follow. Harmless when repeated.
  func finish() async

  /// Gives up at once: what is undelivered is dropped and the stream ends. Harmless when repeated.
  func cancel() async
}
