import AuricleSession
import Foundation

/// One result of a session. Its ``type`` says which of the properties mean something.
public final class TSAIAudioRecordSessionResult: NSObject, Sendable {
  /// What it is.
  public let type: TSAIAudioRecordSessionResultType
  /// Names what belongs to one session; the same in all of its results.
  public let requestId: String
  let contents: SessionResultContents

  init(_ type: TSAIAudioRecordSessionResultType, requestId: String, _ contents: SessionResultContents) {
    self.type = type
    self.requestId = requestId
    self.contents = contents
  }

  /// The type alone: what was said stands in no log.
  public override var description: String { "TSAIAudioRecordSessionResult(\(type))" }
}

/// What results hold; the rest is empty.
struct SessionResultContents: Sendable {
  var text: String?
  var sentenceIndex = 0
  var isSentenceFinal = false
  var speakerSegments: [TSAIAudioRecordSpeakerSegment] = []
  var languageCode: String?
  var sequence = 0
  var event: ReportEvent?
  var failure: SessionFailure?
  var transcripts: [TSAIAudioRecordSessionResult] = []
  var sessionEvents: [TSAIAudioRecordSessionResult] = []
  var report: RecordingReport?
}

/// Transcripts.
extension TSAIAudioRecordSessionResult {
  /// The words so far, or for good; a single line. Two results with one ``sentenceIndex`` are the same sentence, and the
  /// later text replaces the earlier one.
  public var text: String? { contents.text }
  /// The sentence, counted from 0.
  public var sentenceIndex: Int { contents.sentenceIndex }
  /// Whether this is the sentence's last text.
  public var isSentenceFinal: Bool { contents.isSentenceFinal }
  /// Who said what, where the provider tells speakers apart; else empty.
  public var speakerSegments: [TSAIAudioRecordSpeakerSegment] { contents.speakerSegments }
  /// The language, BCP 47; `nil` when the provider does not say.
  public var languageCode: String? { contents.languageCode }
  /// The number of the delivery, counted from 0 over all transcripts of the session.
  public var sequence: Int { contents.sequence }
}

/// Events and errors.
extension TSAIAudioRecordSessionResult {
  /// The event's stable number, as AIBuds has them; ours are above 100. -1 when it is none.
  public var eventType: Int { contents.event?.eventType ?? -1 }
  /// The event's stable name.
  public var eventName: String? { contents.event?.event }
  /// When it was told.
  public var timestamp: Date? { contents.event?.timestamp?.date }
  /// Seconds since somebody wanted the session to start; 0 when nobody knows.
  public var timeSinceSessionStart: TimeInterval { contents.event?.timeSinceSessionStart ?? 0 }
  /// What showed it; `nil` where the type says all.
  public var evidence: String? { contents.event?.evidence }
  /// More about it.
  public var details: [String: String] { contents.event?.details ?? [:] }
  /// What went wrong: of an error, and of an event that tells of one.
  public var error: NSError? { (contents.failure ?? contents.event?.error).map { NSError(tsai: $0) } }
}

/// The finish.
extension TSAIAudioRecordSessionResult {
  /// The final sentences, in the order in which they were said.
  public var transcripts: [TSAIAudioRecordSessionResult] { contents.transcripts }
  /// What happened beside the words, in the order of delivery.
  public var sessionEvents: [TSAIAudioRecordSessionResult] { contents.sessionEvents }
  /// The recording, where it is kept.
  public var rawAudioFilePath: String? { contents.report?.rawAudioFilePath }
  /// Whether the recording was cut off from outside.
  public var isStoppedByInterruption: Bool { contents.report?.isStoppedByInterruption ?? false }
  /// Whether it was recorded without a network on a provider that needs one.
  public var isOfflineRecording: Bool { contents.report?.isOfflineRecording ?? false }
  /// Whether the network went away in between.
  public var hadNetworkDisconnection: Bool { contents.report?.hadNetworkDisconnection ?? false }
  /// The whole report, which is ours.
  public var report: RecordingReport? { contents.report }
}
