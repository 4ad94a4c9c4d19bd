/// Something that happened in a session beside the words.
public struct SessionEvent: Sendable, Equatable {
  /// What happened. The raw values 0…15 are AIBuds'; ours are above 100. The set is open.
  public struct Kind: Hashable, Sendable {
    /// The stable number.
    public let rawValue: Int
    /// The stable name.
    public let name: String
    /// Creates a kind; numbers and names are stable and never reused.
    public init(rawValue: Int, name: String) {
      self.rawValue = rawValue
      self.name = name
    }

    // The numbers 0 to 15, and what they mean, are those of the AIBuds pages.
    /// Somebody wants to record.
    public static let userInitiatedToStart = Kind(rawValue: 0, name: "userInitiatedToStart")
    /// The session runs.
    public static let sessionStarted = Kind(rawValue: 1, name: "sessionStarted")
    /// The session did not come to run; evidence: the error.
    public static let sessionStartFailed = Kind(rawValue: 2, name: "sessionStartFailed")
    /// A provider listens; details: `vendor`, `model`.
    public static let aiServiceConnected = Kind(rawValue: 3, name: "aiServiceConnected")
    /// The session ends without anybody having asked; details: `reason`.
    public static let autoEndSessionTriggered = Kind(rawValue: 4, name: "autoEndSessionTriggered")
    /// Somebody wants an end.
    public static let userInitiatedToEndSession = Kind(rawValue: 5, name: "userInitiatedToEndSession")
    /// The session is over; the finish follows.
    public static let sessionEnded = Kind(rawValue: 6, name: "sessionEnded")
    /// The provider does not accept who asks; evidence: the error.
    public static let aiServiceUnauthorized = Kind(rawValue: 7, name: "aiServiceUnauthorized")
    /// The provider that listened is gone; evidence: the error, where there is one.
    public static let aiServiceDisconnected = Kind(rawValue: 8, name: "aiServiceDisconnected")
    /// The network between here and the provider failed; evidence: the error.
    public static let aiServiceNetworkError = Kind(rawValue: 9, name: "aiServiceNetworkError")
    /// The provider is fed; details: `from`, the second of the recording.
    public static let aiServiceStartRecording = Kind(rawValue: 10, name: "aiServiceStartRecording")
    /// The provider has heard everything.
    public static let aiServiceEndRecording = Kind(rawValue: 11, name: "aiServiceEndRecording")
    /// Audio could not be given to the provider; evidence: the error.
    public static let aiServiceRecordingError = Kind(rawValue: 12, name: "aiServiceRecordingError")
    /// The provider answered with an error; evidence: the error.
    public static let aiServiceResponseError = Kind(rawValue: 13, name: "aiServiceResponseError")
    /// The link to the device broke; details: `device`.
    public static let bleDisconnected = Kind(rawValue: 14, name: "bleDisconnected")
    /// The program is about to end.
    public static let appWillTerminate = Kind(rawValue: 15, name: "appWillTerminate")

    // Ours.
    /// Somebody began to speak.
    public static let speechStarted = Kind(rawValue: 101, name: "speechStarted")
    /// Nobody speaks any more.
    public static let speechEnded = Kind(rawValue: 102, name: "speechEnded")
    /// Another one speaks; details: `from`, `to`.
    public static let speakerChanged = Kind(rawValue: 103, name: "speakerChanged")
    /// The network is gone.
    public static let networkLost = Kind(rawValue: 104, name: "networkLost")
    /// The network is back.
    public static let networkRestored = Kind(rawValue: 105, name: "networkRestored")
    /// Nothing is taken until it is resumed.
    public static let paused = Kind(rawValue: 106, name: "paused")
    /// Audio is taken again.
    public static let resumed = Kind(rawValue: 107, name: "resumed")
    /// Something else needs the microphone; details: `reason`.
    public static let interruptionBegan = Kind(rawValue: 108, name: "interruptionBegan")
    /// What interrupted is over.
    public static let interruptionEnded = Kind(rawValue: 109, name: "interruptionEnded")
    /// Another device is heard; details: `from`, `to`.
    public static let inputRouteChanged = Kind(rawValue: 110, name: "inputRouteChanged")
    /// Nothing or only silence comes, as from a dead or muted microphone; details: `seconds`.
    public static let inputSilent = Kind(rawValue: 111, name: "inputSilent")
    /// Audio is missing; the details say where and why.
    public static let audioDropped = Kind(rawValue: 112, name: "audioDropped")
    /// The disk is nearly full; details: `freeByteCount`.
    public static let storageLow = Kind(rawValue: 113, name: "storageLow")
    /// Somebody took their consent back, and the recording ended.
    public static let consentWithdrawn = Kind(rawValue: 114, name: "consentWithdrawn")
    /// A word was said that somebody listens for; details: `keyword`.
    public static let keywordSpotted = Kind(rawValue: 115, name: "keywordSpotted")
    /// The audio is damaged or odd, and went on; the details say how.
    public static let audioNotice = Kind(rawValue: 116, name: "audioNotice")
    /// Speech was heard in which the recogniser found no words; the details say where.
    public static let speechWithoutText = Kind(rawValue: 117, name: "speechWithoutText")
    /// The last decode of a sentence does not begin with the words that were promised; they were kept.
    public static let promiseContradicted = Kind(rawValue: 118, name: "promiseContradicted")
    /// Much reached the end of the scale; details: `share` of the samples.
    public static let inputClipping = Kind(rawValue: 119, name: "inputClipping")

    /// Every kind that is named here, in the order of the numbers.
    public static let all: [Kind] = [
      .userInitiatedToStart, .sessionStarted, .sessionStartFailed,
      .aiServiceConnected, .autoEndSessionTriggered, .userInitiatedToEndSession,
      .sessionEnded, .aiServiceUnauthorized, .aiServiceDisconnected,
      .aiServiceNetworkError, .aiServiceStartRecording, .aiServiceEndRecording,
      .aiServiceRecordingError, .aiServiceResponseError, .bleDisconnected,
      .appWillTerminate, .speechStarted, .speechEnded,
      .speakerChanged, .networkLost, .networkRestored,
      .paused, .resumed, .interruptionBegan,
      .interruptionEnded, .inputRouteChanged, .inputSilent,
      .audioDropped, .storageLow, .consentWithdrawn,
      .keywordSpotted, .audioNotice, .speechWithoutText,
      .promiseContradicted, .inputClipping,
    ]
  }

  /// What happened.
  public let kind: Kind
  /// Where in the audio, in seconds from the stream's start.
  public let time: Double
  /// More about it: stable keys, plain values; never audio and never words that were said.
  public let details: [String: String]
  /// What showed it: one sentence for a person, without a line break; `nil` where the kind says all.
  public var evidence: String?
  /// The failure that it tells of; `nil` for none.
  public let error: Failure?
  /// When it was told; `nil` until a session tells it.
  public var moment: Moment?

  /// Creates an event.
  public init(
    _ kind: Kind, time: Double, details: [String: String] = [:], evidence: String? = nil, error: Failure? = nil
  ) {
    self.kind = kind
    self.time = time
    self.details = details
    self.evidence = evidence
    self.error = error
  }
}

extension SessionEvent {
  /// A failure as an event tells of it, wherever it comes from.
  public struct Failure: Sendable, Hashable {
    /// Where it comes from, such as `auricle.recognition`; the set is open.
    public let domain: String
    /// The stable name of what went wrong, unique within the domain.
    public let code: String
    /// One sentence for a person, without a line break.
    public let message: String

    /// Describes a failure.
    public init(domain: String, code: String, message: String) {
      self.domain = domain
      self.code = code
      self.message = message
    }

    /// A recogniser's failure.
    public init(_ error: RecognitionError) {
      self.init(domain: "auricle.recognition", code: error.kind.name, message: error.message)
    }
  }

  /// When an event was told.
  public struct Moment: Sendable, Hashable {
    /// Milliseconds since 1970-01-01T00:00:00Z, by the wall clock.
    public let millisecondsSince1970: Int64
    /// Seconds since somebody wanted the session to start, by a clock that never falls.
    public let sessionSeconds: Double

    /// Names a moment.
    public init(millisecondsSince1970: Int64, sessionSeconds: Double) {
      self.millisecondsSince1970 = millisecondsSince1970
      self.sessionSeconds = sessionSeconds
    }
  }
}
