import AuricleAudio
import AuricleRecognition

/// What is known of a recording before it begins.
public struct ReportContext: Sendable, Hashable {
  /// Who recognises; `nil` when it failed before that was known.
  public var provider: ReportProvider?
  /// Where the audio comes from, as the user named it.
  public var source: String?
  /// The language that was asked for, BCP 47.
  public var language: String?
  /// `onSite` or `call`.
  public var scene: String?
  /// The format in which frames are counted: that of the recording, else the one in which the recogniser hears the audio.
  public var format: AudioFormat
  /// Where the recording is kept.
  public var rawAudioFilePath: String?
  /// The device that is recorded.
  public var device: ReportDevice?
  /// Who agreed to be recorded.
  public var consent: ReportConsent?
  /// Whether it is recorded without a network on a provider that needs one.
  public var isOfflineRecording: Bool

  /// Creates a context.
  public init(
    provider: ReportProvider?, source: String? = nil, language: String? = nil, scene: String? = nil,
    format: AudioFormat = .speech, rawAudioFilePath: String? = nil, device: ReportDevice? = nil,
    consent: ReportConsent? = nil, isOfflineRecording: Bool = false
  ) {
    self.provider = provider
    self.source = source
    self.language = language
    self.scene = scene
    self.format = format
    self.rawAudioFilePath = rawAudioFilePath
    self.device = device
    self.consent = consent
    self.isOfflineRecording = isOfflineRecording
  }
}

/// One thing that a report is made of.
public enum ReportEntry: Sendable, Equatable {
  /// Who recognises, when that shows only later.
  case provider(ReportProvider)
  /// Words; those of an unfinished sentence leave no trace in the report.
  case transcript(Transcript)
  /// Something beside the words.
  case event(SessionEvent)
  /// Something went wrong, so words may be missing.
  case failure(SessionFailure)
  /// Audio was listened to, up to a frame.
  case audio(Range<Int64>)
  /// Audio is missing. One that follows on the gap before, for the same reason, is the same gap.
  case gap(AudioGap)
  /// The audio is odd.
  case notice(AudioNotice)
  /// Words may be missing. The first reason stays.
  case incomplete(IncompleteReason)
  /// The network or the connection to the provider broke.
  case disconnected
  /// The audio ended. The first reason stays.
  case stopped(StopReason)
  /// It was over.
  case ended(Timestamp)
}

/// Folds what a session delivers into a report.
///
/// A value without clock, file or thread: the same entries give the same report. Entries may come in any order but that of
/// sentences, which stand in the report in the order of delivery.
public struct ReportBuilder: Sendable {
  private var report: RecordingReport
  private let format: AudioFormat
  private var heardFrames: Int64 = 0
  private var endFrame: Int64 = 0
  private var latestGap: AudioGap?
  private var finalIndices: Set<Int> = []
  private var speakerPlaces: [String: Int] = [:]

  /// Begins a report.
  public init(context: ReportContext, startTime: Timestamp) {
    format = context.format
    report = RecordingReport(
      revision: 0, provider: context.provider, scene: context.scene, source: context.source,
      language: context.language, startTime: startTime, endTime: startTime, activeDuration: 0,
      audio: ReportAudio(format: context.format, frameCount: 0), transcripts: [], speakers: [], sessionEvents: [],
      gaps: [], notices: [], errors: [], isIncomplete: false, incompleteReason: nil,
      isStoppedByInterruption: false, isOfflineRecording: context.isOfflineRecording, hadNetworkDisconnection: false,
      rawAudioFilePath: context.rawAudioFilePath, stopReason: nil, device: context.device, consent: context.consent)
  }

  /// The report of what was applied so far.
  public var current: RecordingReport {
    var report = report
    report.activeDuration = milliseconds(format.seconds(heardFrames))
    report.audio = ReportAudio(format: format, frameCount: endFrame)
    return report
  }

  /// Takes the next entry.
  public mutating func apply(_ entry: ReportEntry) {
    switch entry {
    case .provider(let provider): report.provider = provider
    case .transcript(let transcript): add(transcript)
    case .event(let event): add(ReportEvent(event))
    case .failure(let failure):
      report.errors.append(failure)
      markIncomplete(IncompleteReason(failure))
    case .audio(let frames):
      heardFrames += Int64(frames.count)
      endFrame = max(endFrame, frames.upperBound)
    case .gap(let gap): add(gap)
    case .notice(let notice): add(ReportNotice(notice))
    case .incomplete(let reason): markIncomplete(reason)
    case .disconnected: report.hadNetworkDisconnection = true
    case .stopped(let reason): stop(reason)
    case .ended(let time): report.endTime = max(time, report.startTime)
    }
  }

  private mutating func stop(_ reason: StopReason) {
    guard report.stopReason == nil else { return }
    report.stopReason = reason
    if reason == .interrupted { report.isStoppedByInterruption = true }
  }

  /// A final sentence is kept and never replaced; an unfinished one, a repeated one and an empty one are not kept.
  private mutating func add(_ transcript: Transcript) {
    guard transcript.isSentenceFinal, finalIndices.insert(transcript.sentenceIndex).inserted else { return }
    add(ReportTranscript(transcript))
  }

  /// Keeps a sentence that is new and final; an empty one is not kept.
  mutating func add(_ sentence: ReportTranscript) {
    guard !sentence.text.isEmpty else { return }
    report.transcripts.append(sentence)
    report.language = report.language ?? sentence.languageCode
    for segment in sentence.speakerSegments { count(segment) }
  }

  /// Keeps an event.
  mutating func add(_ event: ReportEvent) { report.sessionEvents.append(event) }

  /// Keeps a notice.
  mutating func add(_ notice: ReportNotice) { report.notices.append(notice) }

  private mutating func add(_ gap: AudioGap) {
    endFrame = max(endFrame, gap.frames.upperBound)
    if let whole = latestGap?.joined(with: gap) {
      latestGap = whole
      report.gaps[report.gaps.count - 1] = ReportGap(whole)
    } else {
      latestGap = gap
      report.gaps.append(ReportGap(gap))
    }
  }

  private mutating func count(_ segment: ReportSpeakerSegment) {
    // Wrapping, since a journal that was read back may hold any number.
    let time = segment.endTimeMilliseconds &- segment.startTimeMilliseconds
    if let place = speakerPlaces[segment.speakerId] {
      report.speakers[place].speakingTimeMilliseconds &+= time
    } else {
      speakerPlaces[segment.speakerId] = report.speakers.count
      report.speakers.append(ReportSpeaker(speakerId: segment.speakerId, speakingTimeMilliseconds: time))
    }
  }

  private mutating func markIncomplete(_ reason: IncompleteReason) {
    report.isIncomplete = true
    report.isStoppedByInterruption = report.isStoppedByInterruption || reason == .interrupted
    report.incompleteReason = report.incompleteReason ?? reason
  }
}

extension IncompleteReason {
  /// What a failure costs.
  init(_ failure: SessionFailure) {
    switch failure.domain {
    case SessionFailure.audioDomain: self = .sourceFailed
    case SessionFailure.recordingDomain: self = .recordingFailed
    default: self = .recognitionFailed
    }
  }
}

extension AudioGap {
  /// The two gaps as one, if the other one follows on and has the same reason.
  func joined(with next: AudioGap) -> AudioGap? {
    guard reason == next.reason, sampleRate == next.sampleRate, frames.upperBound == next.frames.lowerBound else {
      return nil
    }
    return AudioGap(frames: frames.lowerBound..<next.frames.upperBound, sampleRate: sampleRate, reason: reason)
  }
}
