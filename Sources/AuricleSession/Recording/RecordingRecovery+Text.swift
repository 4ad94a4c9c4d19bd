import AuricleAudio
import AuricleRecognition
import AuricleRecording

/// What became of the text of a recording that is recovered.
enum RecoveredText {
  /// It is all there, or none was wanted.
  case complete
  /// Some is missing.
  case failed(SessionFailure)
  /// It has not been begun, and can be once somebody has mended what the failure says.
  case waiting(SessionFailure)
}

extension RecordingRecovery {
  /// Transcribes what has no text yet: from the end of the last final sentence on.
  func completeText(
    of audio: String?, _ log: RecordingLog, _ deliver: @Sendable (SessionResult) async -> Void
  ) async -> RecoveredText {
    guard let audio, let recognition, !stop.isStopped, lacksText(log.fold) else { return .complete }
    do {
      let failure = try await transcribe(audio, with: recognition, log, deliver)
      return failure.map(RecoveredText.failed) ?? .complete
    } catch is CancellationError {
      stop.stop()
      return .complete
    } catch let error as RecognitionError where error.kind.advice == .askUser {
      return .waiting(SessionFailure(error))
    } catch {
      let failure = (error as? RecognitionError).map { SessionFailure($0) } ?? SessionFailure(fromSource: error)
      log.note(.failure(failure))
      return .failed(failure)
    }
  }

  /// A recording that came to its end with all its text lacks nothing but its files.
  private func lacksText(_ fold: JournalFold) -> Bool {
    fold.header?.wantsTranscript == true && fold.report.isIncomplete
  }

  private func transcribe(
    _ audio: String, with recognition: RecordingRecognition, _ log: RecordingLog,
    _ deliver: @Sendable (SessionResult) async -> Void
  ) async throws -> SessionFailure? {
    let provider = try await recognition.provider()
    var configuration = recognition.configuration
    if let language = log.fold.header?.language.flatMap({ LanguageTag($0) }) { configuration.language = language }
    let session = try await provider.startSession(configuration)
    let names = ReportProvider(vendor: provider.vendor, model: provider.model)
    if log.report.provider == nil { log.note(.provider(names)) }
    let source = RestSource(try await openAudio(audio), from: log.fold.textEnd)
    let numbering = SentenceNumbering(behind: log.fold.transcripts)
    let run = TranscriptionRun(
      source: source, session: session, context: ReportContext(provider: names), limits: RunLimits(afterEnd: nil),
      stop: stop, clock: clock, wallClock: wallClock)
    let report = await run.run { delivery in
      switch delivery.result {
      case .transcript(let transcript) where transcript.isSentenceFinal && !transcript.text.isEmpty:
        log.note(.transcript(numbering.numbered(transcript)))
      case .failure(let failure): log.note(.failure(failure))
      case .transcript, .event, .recording, .finish: break
      }
      await deliver(delivery.result)
    }
    return report.errors.first
  }
}

/// The numbers of sentences that follow on those that are there.
private struct SentenceNumbering: Sendable {
  private let firstIndex: Int
  private let firstSequence: Int

  init(behind sentences: [ReportTranscript]) {
    firstIndex = 1 + (sentences.map(\.sentenceIndex).max() ?? -1)
    firstSequence = 1 + (sentences.map(\.sequence).max() ?? -1)
  }

  func numbered(_ transcript: Transcript) -> ReportTranscript {
    ReportTranscript(
      Transcript(
        sentenceIndex: firstIndex + transcript.sentenceIndex, text: transcript.text,
        stablePrefix: transcript.stablePrefix, isSentenceFinal: true, span: transcript.span,
        languageCode: transcript.languageCode, speakerSegments: transcript.speakerSegments,
        sequence: firstSequence + transcript.sequence))
  }
}

/// A source from a place on: what comes before it is one gap, so that frames keep their numbers.
actor RestSource: AudioSource {
  nonisolated let format: AudioFormat
  nonisolated let expectedFrameCount: Int64?
  private let source: any AudioSource
  private let start: Int64
  private var hasBegun = false

  /// Wraps a source, from which nobody else may read.
  init(_ source: any AudioSource, from seconds: Double) {
    self.source = source
    format = source.format
    expectedFrameCount = source.expectedFrameCount
    start = max(0, source.format.frames(seconds: seconds))
  }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    if !hasBegun {
      hasBegun = true
      if start > 0 {
        return .gap(AudioGap(frames: 0..<start, sampleRate: format.sampleRate, reason: .transcribed))
      }
    }
    while let chunk = try await source.next(maxFrames: maxFrames) {
      if let rest = rest(of: chunk) { return rest }
    }
    return nil
  }

  /// The part of a chunk that lies behind the start.
  private func rest(of chunk: AudioChunk) -> AudioChunk? {
    switch chunk {
    case .audio(let block):
      guard block.frames.upperBound > start else { return nil }
      let skipped = Int(max(0, start - block.startFrame))
      guard skipped > 0 else { return chunk }
      return .audio(
        PCMBlock(
          format: format, startFrame: start, samples: Array(block.samples.dropFirst(skipped * format.channelCount))))
    case .gap(let gap):
      guard gap.frames.upperBound > start else { return nil }
      let frames = max(start, gap.frames.lowerBound)..<gap.frames.upperBound
      return .gap(AudioGap(frames: frames, sampleRate: gap.sampleRate, reason: gap.reason))
    case .notice: return chunk
    }
  }
}

extension AudioGap.Reason {
  /// There is text of it already.
  static let transcribed = Self(name: "transcribed")
}
