import AuricleAudio
import AuricleRecognition

/// What a recording's journal begins with, before the first sample.
public struct JournalHeader: Codable, Sendable, Hashable {
  /// The version of the journal's form that this code writes.
  public static let currentVersion = 1

  /// The version of the form.
  public var version = Self.currentVersion
  /// When the recording began.
  public var startTime: Timestamp
  /// The name of the audio file, within the journal's folder.
  public var audioFileName: String
  /// Frames per second of the recording.
  public var sampleRate: Int
  /// Samples per frame of the recording.
  public var channelCount: Int
  /// Who agreed to be recorded.
  public var consent: ReportConsent?
  /// The device that is recorded.
  public var device: ReportDevice?
  /// Where the audio comes from, as the user named it; `nil` for the standard microphone.
  public var source: String?
  /// The language that was asked for, BCP 47.
  public var language: String?
  /// Whether text is wanted.
  public var wantsTranscript: Bool
  /// Where people speak: `onSite` or `call`; `nil` when nobody said.
  public var scene: String?
  /// Whether it was begun without a network on a provider that needs one; `nil` in old journals.
  public var isOfflineRecording: Bool?
  /// The vendor of the provider that it began with; `nil` in old journals, and without text.
  public var vendor: String?

  /// Creates a header.
  public init(
    startTime: Timestamp, audioFileName: String, format: AudioFormat, consent: ReportConsent?, device: ReportDevice?,
    source: String?, language: String?, wantsTranscript: Bool, scene: String? = nil, isOfflineRecording: Bool? = nil,
    vendor: String? = nil
  ) {
    self.startTime = startTime
    self.audioFileName = audioFileName
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    self.consent = consent
    self.device = device
    self.source = source
    self.language = language
    self.wantsTranscript = wantsTranscript
    self.scene = scene
    self.isOfflineRecording = isOfflineRecording
    self.vendor = vendor
  }
}

/// One line of a recording's journal. The report is a fold of all: see ``JournalFold``.
public enum JournalEntry: Sendable, Hashable {
  /// How it begins.
  case header(JournalHeader)
  /// Who recognises.
  case provider(ReportProvider)
  /// Frames of the recording in which audio is missing; a long gap stands in pieces.
  case gap(JournalGap)
  /// A final sentence.
  case transcript(ReportTranscript)
  /// Something beside the words.
  case event(ReportEvent)
  /// The audio is odd.
  case notice(ReportNotice)
  /// Something went wrong.
  case failure(SessionFailure)
  /// Words may be missing.
  case incomplete(IncompleteReason)
  /// Why the audio ended.
  case stopped(StopReason)
  /// It was over, and so much was written.
  case ended(JournalEnd)
  /// Somebody begins to recover it.
  case attempt(Timestamp)
  /// The user stopped who was recovering it: the attempt did not die.
  case attemptStopped(Timestamp)
  /// It began without the network that its provider needs.
  case offline
  /// The network, or the connection to the provider, went away in between.
  case disconnected
  /// Text is missing that can be had later.
  case textPending
  /// All the text that was missing is there.
  case textComplete
  /// A report was issued, and this recording has not come to its end yet: the next one has another revision.
  case reported(revision: Int)
  /// Consent was withdrawn, and everything that was recorded is to be destroyed.
  case destroy
  /// Everything that was recorded is destroyed.
  case destroyed
}

/// Frames of a recording in which audio is missing.
public struct JournalGap: Codable, Sendable, Hashable {
  /// The first frame that is missing.
  public let start: Int64
  /// The first frame that is there again.
  public let end: Int64
  /// The stable name of the reason.
  public let reason: String

  /// Takes over a gap.
  public init(_ gap: AudioGap) {
    start = gap.frames.lowerBound
    end = gap.frames.upperBound
    reason = gap.reason.name
  }
}

/// How a recording ended.
public struct JournalEnd: Codable, Sendable, Hashable {
  /// When it was over.
  public let time: Timestamp
  /// How many frames were written.
  public let frameCount: Int64

  /// Creates an end.
  public init(time: Timestamp, frameCount: Int64) {
    self.time = time
    self.frameCount = frameCount
  }
}
