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
  /// For a few seconds: what stays away longer waits in the store, where nothing is lost.
  private static var backoff: Backoff { Backoff(maximumAttemptCount: 3) }

  /// Transcribes what has no text yet: from the end of the last final sentence on.
  func completeText(
    of audio: String?, _ log: RecordingLog, _ deliver: @Sendable (SessionResult) async -> Void
  ) async -> RecoveredText {
    guard let audio, let recognition, !stop.isStopped, lacksText(log.fold) else { return .complete }
    do {
      return try await transcribe(audio, with: recognition, log, deliver)
    } catch is CancellationError {
      stop.stop()
      return .complete
    } catch let error as RecognitionError where error.kind.maySucceedLater {
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
  ) async throws -> RecoveredText {
    let provider = try await recognition.provider()
    var configuration = recognition.configuration
    if let language = log.fold.header?.language.flatMap({ LanguageTag($0) }) { configuration.language = language }
    let names = ReportProvider(vendor: provider.vendor, model: provider.model)
    if log.report.provider == nil { log.note(.provider(names)) }
    let source = RestSource(try await openAudio(audio), from: AudioFormat.speech.frames(seconds: log.fold.textEnd))
    let numbering = Guarded(SentenceNumbering(behind: log.fold.transcripts))
    let run = TranscriptionRun(
      source: source, provider: provider, configuration: configuration, context: ReportContext(provider: names),
      limits: RunLimits(afterEnd: nil), stop: stop, backoff: Self.backoff, clock: clock, wallClock: wallClock)
    let report = await run.run { delivery in
      switch delivery.result {
      case .transcript(let transcript):
        guard let transcript = numbering.withLock({ $0.number(transcript) }) else { return }
        if transcript.isSentenceFinal, !transcript.text.isEmpty { log.note(.transcript(ReportTranscript(transcript))) }
        await deliver(.transcript(transcript))
      case .failure(let failure):
        // What passes is no news of the recording: the next attempt goes on there.
        if !failure.passes { log.note(.failure(failure)) }
        await deliver(delivery.result)
      case .event, .recording, .finish: await deliver(delivery.result)
      }
    }
    if let failure = report.errors.first { return failure.passes ? .waiting(failure) : .failed(failure) }
    if !report.isIncomplete { log.note(.textComplete) }
    return .complete
  }
}

extension SessionFailure {
  /// Whether a recogniser failed in a way that passes by itself.
  fileprivate var passes: Bool {
    domain == Self.recognitionDomain
      && RecognitionError.Kind.all.contains { $0.name == code && $0.advice == .retry }
  }
}
