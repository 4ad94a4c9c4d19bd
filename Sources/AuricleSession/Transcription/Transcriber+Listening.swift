import AuricleAudio
import AuricleRecognition

extension Transcriber {
  /// Lets a provider listen, until it is through, fails, or the task is cancelled.
  /// - Parameter earlier: Sessions that may still deliver something; this one begins behind them.
  func listen(
    _ sitting: Sitting, behind earlier: [Sitting], in place: TranscriptionPlace
  ) async -> Sitting.Ending {
    let (session, names): (PatientSession, ReportProvider)
    do {
      (session, names) = try await openSession(sitting.listener, in: place)
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

  /// Makes the recogniser and begins to listen, within the provider's time. A session that is there too late is given up.
  private func openSession(
    _ listener: Listener, in place: TranscriptionPlace
  ) async throws -> (PatientSession, ReportProvider) {
    typealias Opened = (session: PatientSession, names: ReportProvider)
    let opened = await Patience.wait(patience.start, cancels: true) { [configuration, patience] in
      do {
        let provider = try await listener.provider()
        place.loaded()
        let session = PatientSession(try await provider.startSession(configuration), patience)
        return Result<Opened, any Error>.success(
          (session, ReportProvider(vendor: provider.vendor, model: provider.model)))
      } catch {
        return .failure(error)
      }
    } late: { opened in
      if let session = try? opened.get().session { await session.cancel() }
    }
    guard let opened else {
      throw RecognitionError(.failed, "the provider did not listen within \(patience.start); it is asked again")
    }
    return try opened.get()
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
