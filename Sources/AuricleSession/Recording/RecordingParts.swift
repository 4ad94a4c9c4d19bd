import AuricleAudio
import AuricleRecognition

/// Where the sound of a recording comes from.
public struct RecordingInput: Sendable {
  /// The source. It has met the consent gate.
  public let source: any AudioSource
  /// Ends a source that goes on by itself, such as a device: what it has heard still comes, then its end. `nil` for a source
  /// that is just not read any more.
  public let end: (@Sendable () -> Void)?

  /// Names an input.
  public init(source: any AudioSource, end: (@Sendable () -> Void)? = nil) {
    self.source = source
    self.end = end
  }
}

/// How a recording becomes text.
public struct RecordingRecognition: Sendable {
  /// Waits for the recogniser, which may still load; ends promptly when its task is cancelled.
  public let provider: @Sendable () async throws -> any RecognitionProvider
  /// What is asked of it.
  public let configuration: RecognitionConfiguration
  /// Makes 16,000 Hz mono of a source.
  public let speech: @Sendable (any AudioSource) -> any AudioSource

  /// Names a recogniser.
  public init(
    provider: @escaping @Sendable () async throws -> any RecognitionProvider, configuration: RecognitionConfiguration,
    speech: @escaping @Sendable (any AudioSource) -> any AudioSource
  ) {
    self.provider = provider
    self.configuration = configuration
    self.speech = speech
  }
}

/// How long a recording may be, and how long its last words are waited for.
public struct RecordingLimits: Sendable {
  /// The most seconds that are recorded, pauses and gaps included; `nil` for no end.
  public var seconds: Double?
  /// The reason that a recording of that length has for its end.
  public var secondsReason: StopReason
  /// How long after the end of the audio a recogniser may bring nothing new before it is given up.
  public var lastResults: Duration
  /// How long after the end of the audio a recogniser that still loads is waited for.
  public var loading: Duration
  /// How long the last results are waited for when there is a hurry.
  public var hurried: Duration
  /// Below so much room on the disk, in bytes, the recording tells once that it is low: an hour and a half of one channel
  /// at 48 kHz.
  public var lowStorage: Int64
  /// So long nothing may come from a source that has run before that is told; `nil` when it is never told.
  public var stall: Duration?

  /// Creates limits; 8 seconds for the last results are the default of a recording session.
  public init(
    seconds: Double? = nil, secondsReason: StopReason = .userInitiated, lastResults: Duration = .seconds(8),
    loading: Duration = .seconds(60), hurried: Duration = .seconds(3), lowStorage: Int64 = 512 << 20,
    stall: Duration? = .seconds(2)
  ) {
    self.seconds = seconds
    self.secondsReason = secondsReason
    self.lastResults = lastResults
    self.loading = loading
    self.hurried = hurried
    self.lowStorage = lowStorage
    self.stall = stall
  }
}
