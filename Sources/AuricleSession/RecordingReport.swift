/// All that a recording gave, when it is over.
///
/// A pure fold of what a session delivered: see ``ReportBuilder``. Times are seconds from the start of the audio, rounded
/// to milliseconds.
public struct RecordingReport: Codable, Sendable, Hashable {
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
  /// The audio, as the recogniser heard it.
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
}
