import AuricleAudio
import AuricleRecognition

/// Who recognised.
public struct ReportProvider: Codable, Sendable, Hashable {
  /// Who makes the recogniser.
  public let vendor: String
  /// Which model, of which version.
  public let model: String

  /// Names a provider.
  public init(vendor: String, model: String) {
    self.vendor = vendor
    self.model = model
  }
}

/// The audio of a recording.
public struct ReportAudio: Codable, Sendable, Hashable {
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  /// Seconds from the first frame to the end of the last one, gaps included.
  public let duration: Double

  /// Describes audio.
  public init(format: AudioFormat, frameCount: Int64) {
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    duration = milliseconds(format.seconds(frameCount))
  }
}

/// A final sentence.
public struct ReportTranscript: Codable, Sendable, Hashable {
  /// The sentence, counted from 0.
  public let sentenceIndex: Int
  /// The words, a single line.
  public let text: String
  /// Seconds.
  public let start: Double
  /// Seconds; behind the start.
  public let end: Double
  /// The language, BCP 47; `nil` when the provider does not say.
  public let languageCode: String?
  /// Who said what, where the provider tells them apart.
  public let speakerSegments: [ReportSpeakerSegment]
  /// The number of the delivery.
  public let sequence: Int

  /// Takes over a final transcript.
  public init(_ transcript: Transcript) {
    sentenceIndex = transcript.sentenceIndex
    text = transcript.text
    (start, end) = roundedSpan(start: transcript.span.start, end: transcript.span.end)
    languageCode = transcript.languageCode
    speakerSegments = transcript.speakerSegments.map(ReportSpeakerSegment.init)
    sequence = transcript.sequence
  }
}

/// What one speaker said in one stretch of a sentence.
public struct ReportSpeakerSegment: Codable, Sendable, Hashable {
  /// The speaker, as the provider names them within the session.
  public let speakerId: String
  /// Milliseconds.
  public let startTimeMilliseconds: Int64
  /// Milliseconds.
  public let endTimeMilliseconds: Int64
  /// The sequence of the transcript that the words belong to.
  public let associatedTranscriptSequence: Int
  /// The words.
  public let text: String

  /// Takes over a segment.
  public init(_ segment: SpeakerSegment) {
    speakerId = segment.speakerID
    startTimeMilliseconds = Int64((segment.span.start * 1000).rounded())
    endTimeMilliseconds = Int64((segment.span.end * 1000).rounded())
    associatedTranscriptSequence = segment.associatedTranscriptSequence
    text = segment.text
  }
}

/// Somebody who spoke.
public struct ReportSpeaker: Codable, Sendable, Hashable {
  /// The speaker, as the provider names them within the session.
  public let speakerId: String
  /// For how many milliseconds they spoke.
  public var speakingTimeMilliseconds: Int64
}

/// Something that happened beside the words.
public struct ReportEvent: Codable, Sendable, Hashable {
  /// The stable number: 0…15 are AIBuds', ours are above 100.
  public let eventType: Int
  /// The stable name.
  public let event: String
  /// Where in the audio, in seconds.
  public let time: Double
  /// When it was told; `nil` in old reports, and where no session told it.
  public let timestamp: Timestamp?
  /// Seconds since somebody wanted the session to start; `nil` where there is no ``timestamp``.
  public let timeSinceSessionStart: Double?
  /// What showed it: one sentence for a person; `nil` where the kind says all.
  public let evidence: String?
  /// More about it.
  public let details: [String: String]
  /// The failure that it tells of; `nil` for none.
  public let error: SessionFailure?

  /// Takes over an event.
  public init(_ event: SessionEvent) {
    eventType = event.kind.rawValue
    self.event = event.kind.name
    time = milliseconds(event.time)
    timestamp = event.moment.map { Timestamp(millisecondsSince1970: $0.millisecondsSince1970) }
    timeSinceSessionStart = event.moment.map { milliseconds($0.sessionSeconds) }
    evidence = event.evidence
    details = event.details
    error = event.error.map { SessionFailure(domain: $0.domain, code: $0.code, message: $0.message) }
  }
}

/// Where audio is missing.
public struct ReportGap: Codable, Sendable, Hashable {
  /// Seconds.
  public let start: Double
  /// Seconds; behind the start.
  public let end: Double
  /// Why: the stable name of the reason.
  public let reason: String

  /// Takes over a gap.
  public init(_ gap: AudioGap) {
    let span = TimeSpan(frames: gap.frames, sampleRate: gap.sampleRate)
    (start, end) = roundedSpan(start: span.start, end: span.end)
    reason = gap.reason.name
  }
}

/// What was odd about the audio.
public struct ReportNotice: Codable, Sendable, Hashable {
  /// The stable name of what was noticed.
  public let kind: String
  /// One sentence for a person.
  public let message: String

  /// Takes over a notice.
  public init(_ notice: AudioNotice) {
    kind = notice.kind.name
    message = notice.message
  }
}
