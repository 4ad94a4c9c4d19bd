/// All that a recording gave, when it is over.
///
/// A pure fold of what a session delivered: see ``ReportBuilder``. Times are seconds from the start of the audio, rounded
/// to milliseconds.
///
/// As JSON a report has all fields that are not `nil`. Fields may be added without a new ``schemaVersion``: who reads
/// reports ignores what they do not know, and so does this type, which also reads reports that lack newer fields.
public struct RecordingReport: Codable, Sendable, Hashable {
  /// The version of the form that this code writes.
  public static let currentSchemaVersion = 1

  /// The version of the form: it grows when a field changes its meaning or goes.
  public var schemaVersion = Self.currentSchemaVersion
  /// 0 for the first report of a recording; a later synchronisation issues the next one.
  public var revision: Int
  /// Who recognised; `nil` when it failed before that was known.
  public var provider: ReportProvider?
  /// Where it was recorded: `onSite` or `call`; `nil` when nobody said.
  public var scene: String?
  /// Where the audio came from, as the user named it; `nil` for a microphone.
  public var source: String?
  /// The language, BCP 47: the one that was asked for, else the first that the recogniser named.
  public var language: String?
  /// When the recording began.
  public var startTime: Timestamp
  /// When it was over.
  public var endTime: Timestamp
  /// Seconds of audio that were listened to; gaps do not count.
  public var activeDuration: Double
  /// The audio: of a recording as it was written, else as the recogniser heard it.
  public var audio: ReportAudio
  /// The final sentences, in the order in which they were said.
  public var transcripts: [ReportTranscript]
  /// The speakers, in the order in which they were first heard; empty when nobody tells them apart.
  public var speakers: [ReportSpeaker]
  /// What happened beside the words, in the order of delivery.
  public var sessionEvents: [ReportEvent]
  /// Where audio is missing, and why.
  public var gaps: [ReportGap]
  /// What was odd about the audio.
  public var notices: [ReportNotice]
  /// What went wrong.
  public var errors: [SessionFailure]
  /// Whether words may be missing that were said, for any other reason than a gap.
  public var isIncomplete: Bool
  /// Why words may be missing; `nil` when the report is complete.
  public var incompleteReason: IncompleteReason?
  /// Whether the recording was cut off from outside.
  public var isStoppedByInterruption: Bool
  /// Whether it was recorded without a network on a provider that needs one.
  public var isOfflineRecording: Bool
  /// Whether the network went away in between.
  public var hadNetworkDisconnection: Bool
  /// The recording, where it is kept.
  public var rawAudioFilePath: String?
  /// Why the audio ended; `nil` for what was no recording of ours.
  public var stopReason: StopReason?
  /// The device that was recorded; `nil` when it was none, or nobody knows.
  public var device: ReportDevice?
  /// Who agreed to be recorded; `nil` for what was no recording of ours.
  public var consent: ReportConsent?
  /// Whether audio and words were destroyed because consent was withdrawn.
  public var isDestroyed = false
}

extension RecordingReport {
  /// Reads a report, also one of an earlier version: what it lacks is empty, and no lack of words is assumed.
  /// - Parameter decoder: Must have `startTime`, `audio` and `transcripts`.
  /// - Throws: `DecodingError`
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let startTime = try fields.decode(Timestamp.self, forKey: .startTime)
    let audio = try fields.decode(ReportAudio.self, forKey: .audio)
    self.init(
      schemaVersion: try fields.value(.schemaVersion, or: 1), revision: try fields.value(.revision, or: 0),
      provider: try fields.decodeIfPresent(ReportProvider.self, forKey: .provider),
      scene: try fields.decodeIfPresent(String.self, forKey: .scene),
      source: try fields.decodeIfPresent(String.self, forKey: .source),
      language: try fields.decodeIfPresent(String.self, forKey: .language), startTime: startTime,
      endTime: try fields.value(.endTime, or: startTime),
      activeDuration: try fields.value(.activeDuration, or: audio.duration), audio: audio,
      transcripts: try fields.decode([ReportTranscript].self, forKey: .transcripts),
      speakers: try fields.value(.speakers, or: []), sessionEvents: try fields.value(.sessionEvents, or: []),
      gaps: try fields.value(.gaps, or: []), notices: try fields.value(.notices, or: []),
      errors: try fields.value(.errors, or: []), isIncomplete: try fields.value(.isIncomplete, or: false),
      incompleteReason: try fields.decodeIfPresent(IncompleteReason.self, forKey: .incompleteReason),
      isStoppedByInterruption: try fields.value(.isStoppedByInterruption, or: false),
      isOfflineRecording: try fields.value(.isOfflineRecording, or: false),
      hadNetworkDisconnection: try fields.value(.hadNetworkDisconnection, or: false),
      rawAudioFilePath: try fields.decodeIfPresent(String.self, forKey: .rawAudioFilePath),
      stopReason: try fields.decodeIfPresent(StopReason.self, forKey: .stopReason),
      device: try fields.decodeIfPresent(ReportDevice.self, forKey: .device),
      consent: try fields.decodeIfPresent(ReportConsent.self, forKey: .consent),
      isDestroyed: try fields.value(.isDestroyed, or: false))
  }
}

/// Why a report is incomplete. The set is open.
public struct IncompleteReason: RawRepresentable, Codable, Sendable, Hashable {
  /// The stable name, as it stands in reports.
  public let rawValue: String
  /// Creates a reason; names are stable and never reused.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It was stopped before the audio ended.
  public static let interrupted = IncompleteReason(rawValue: "interrupted")
  /// The source failed before its end, or did not open.
  public static let sourceFailed = IncompleteReason(rawValue: "sourceFailed")
  /// The recogniser failed on a part, or did not start.
  public static let recognitionFailed = IncompleteReason(rawValue: "recognitionFailed")
  /// The recogniser's last results did not come in time.
  public static let timedOut = IncompleteReason(rawValue: "timedOut")
  /// The recording could not be written to its end.
  public static let recordingFailed = IncompleteReason(rawValue: "recordingFailed")
  /// The program that recorded was killed, or the machine went down.
  public static let processKilled = IncompleteReason(rawValue: "processKilled")
}

extension KeyedDecodingContainer {
  /// A field that may be missing.
  fileprivate func value<Value: Decodable>(_ key: Key, or standard: Value) throws -> Value {
    try decodeIfPresent(Value.self, forKey: key) ?? standard
  }
}
