import AuricleSession
import Foundation

/// All that a session gave, when it is over.
public final class AIAudioRecordingReportModel: NSObject, Sendable {
  /// The whole report of the core; ours.
  public let report: RecordingReport
  /// Names the session.
  public let requestId: String
  /// The final sentences, in the order in which they were said.
  public let transcripts: [StreamSpeechASRModel]
  /// What happened beside the words, in the order of delivery.
  public let sessionEvents: [AIAudioRecordingEventModel]

  init(_ report: RecordingReport, requestId: String) {
    self.report = report
    self.requestId = requestId
    transcripts = report.transcripts.map {
      StreamSpeechASRModel($0, stablePrefix: $0.text, isFinal: true, requestId: requestId)
    }
    sessionEvents = report.sessionEvents.map(AIAudioRecordingEventModel.init)
  }

  /// Who recognised; `nil` when it failed before that was known.
  public var serviceVendor: String? { report.provider?.vendor }
  /// Where people spoke.
  public var recordingScene: RecordingScene { report.scene == "call" ? .call : .onSite }
  /// When the recording began.
  public var sessionStartTime: Date { report.startTime.date }
  /// When it was over.
  public var sessionEndTime: Date { report.endTime.date }
  /// Seconds of audio that were listened to; pauses do not count.
  public var sessionDuration: TimeInterval { report.activeDuration }
  /// The language, BCP 47; `nil` when nobody said.
  public var languageForSpeechInput: String? { report.language }
  /// Whether the recording was cut off from outside.
  public var isStoppedByInterruption: Bool { report.isStoppedByInterruption }
  /// Whether it was recorded without a network on a provider that needs one.
  public var isOfflineRecording: Bool { report.isOfflineRecording }
  /// Whether the network went away in between.
  public var hadNetworkDisconnection: Bool { report.hadNetworkDisconnection }
  /// The recording, where it is kept.
  public var rawAudioFilePath: String? { report.rawAudioFilePath }
  /// The format of ``rawAudioFilePath``, by the ending of its name: `wav`, `flac` or `opus`.
  public var rawAudioFileFormat: String? { rawAudioFilePath.map { ($0 as NSString).pathExtension } }
  /// Frames per second of the recording.
  public var rawAudioFileSampleRate: Int { report.audio.sampleRate }
  /// Samples per frame of the recording.
  public var rawAudioFileChannelCount: Int { report.audio.channelCount }

  /// How long it was and how much was said; not what.
  public override var description: String {
    "AIAudioRecordingReportModel(\(sessionDuration) s, \(transcripts.count) sentences, \(sessionEvents.count) events)"
  }
}
