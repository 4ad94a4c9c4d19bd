import AuricleAudio
import AuricleRecognition

extension Transcriber {
  /// Lets a provider listen, until it is through, fails, or the task is cancelled.
  /// - Parameter earlier: Sessions that may still deliver something; this one begins behind them.
  func listen(
    _ sitting: Sitting, behind earlier: [Sitting], in place: TranscriptionPlace
  ) async -> Sitting.Ending {
    let session: any RecognitionSession
    let names: ReportProvider
    do {
      let provider = try await sitting.listener.provider()
      place.loaded()
      names = ReportProvider(vendor: provider.vendor, model: provider.model)
      session = try await provider.startSession(configuration)
    } catch {
      return .failed(Setback(error: RecognitionError(fromProvider: error), stage: .opening))
    }
    guard sitting.open() else {
      await session.cancel()
      return .cancelled
    }
    mail.yield(.opened(sitting.number))
    for old in earlier { await old.waitForEnd() }
    guard !Task.isCancelled else {
      await session.cancel()
      return .cancelled
    }
    place.note(.provider(names))
    let anchor = text.withLock { text in
      text.beginSession()
      return text.anchor
    }
    await tell(.aiServiceConnected, ["vendor": names.vendor, "model": names.model], in: place)
    await tell(.aiServiceStartRecording, ["from": "\(AudioFormat.speech.seconds(anchor))"], in: place)
    let conversation = Conversation(session: session, transcriber: self, place: place, sitting: sitting, start: anchor)
    return await conversation.run()
  }

  /// Tells of something, where somebody wants to hear of it.
  func tell(_ kind: SessionEvent.Kind, _ details: [String: String] = [:], in place: TranscriptionPlace) async {
    guard isOfSession else { return }
    await place.take(.event(SessionEvent(kind, time: place.position(), details: details)))
  }
}

extension SessionEvent {
  /// An event that tells of a recogniser's failure, if there is one.
  init(_ kind: Kind, time: Double, details: [String: String] = [:], failing error: RecognitionError?) {
    self.init(kind, time: time, details: details, evidence: error?.message, error: error.map { Failure($0) })
  }
}
