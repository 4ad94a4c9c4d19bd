import AuricleAudio
import AuricleRecognition

extension RecordingRun {
  /// Recognises what is written, until all is recognised or nothing more is to be expected.
  func recognise(with transcriber: Transcriber, closed: StopSignal) async {
    await withTaskGroup(of: TranscriptionOutcome?.self) { group in
      group.addTask { await transcriber.run(in: place, closed: closed) }
      group.addTask {
        await giveUp(on: transcriber, closed: closed)
        return nil
      }
      var outcome: TranscriptionOutcome?
      for await part in group {
        // Whoever comes first ends the other; the transcriber always says how it stood.
        group.cancelAll()
        outcome = part ?? outcome
      }
      progress.deafen()
      writer.keepTail(from: nil)
      conclude(outcome ?? .cut, isPassing: transcriber.isOfSession)
    }
  }

  /// Notes what is missing of the text.
  private func conclude(_ outcome: TranscriptionOutcome, isPassing: Bool) {
    switch outcome {
    case .complete: break
    case .failed(let error): log.note(.failure(SessionFailure(error)))
    case .unreadable:
      // Of what could not be read on the way, the file may hold everything.
      if lacksWords { log.note(isPassing ? .textPending : .incomplete(.recognitionFailed)) }
    case .pending: log.note(.textPending)
    case .cut: if !Task.isCancelled, !log.fold.mustDestroy { log.note(.incomplete(.timedOut)) }
    }
    if Task.isCancelled { log.note(.incomplete(.interrupted)) }
  }

  private var place: TranscriptionPlace {
    TranscriptionPlace(
      format: writer.format, read: { [writer] in writer.makeTail(from: $0) },
      keep: { [writer] in writer.keepTail(from: $0) },
      position: { [writer] in writer.format.seconds(writer.frameCount) }, take: { await take($0) },
      show: { [progress, queue] failure in
        progress.step()
        await queue.send(.failure(failure))
      }, note: { [log] in log.note($0) }, loaded: { [progress] in progress.loaded.stop() },
      heard: { [progress] in progress.hear($0) })
  }

  /// Returns when nothing more is to be expected: nothing came for a while after the file was closed, or there is a hurry.
  private func giveUp(on transcriber: Transcriber, closed: StopSignal) async {
    guard await closed.wait() else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        guard await hurry.wait() else { return }
        await waitHurried()
      }
      group.addTask { await waitForStandstill(of: transcriber) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Not even that when nobody wants the last results.
  private func waitHurried() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await clock.sleep(for: limits.hurried) }
      group.addTask { [abandon] in _ = await abandon.wait() }
      await group.next()
      group.cancelAll()
    }
  }

  /// A recogniser that still loads may take its time, and one that is there must bring something.
  private func waitForStandstill(of transcriber: Transcriber) async {
    if !progress.isLoaded, !transcriber.isHeldUp {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { try? await clock.sleep(for: limits.loading) }
        group.addTask { [progress] in _ = await progress.loaded.wait() }
        await group.next()
        group.cancelAll()
      }
      guard progress.isLoaded else { return }
    }
    while !Task.isCancelled {
      let before = progress.stepCount
      try? await clock.sleep(for: limits.lastResults)
      if progress.stepCount == before { return }
    }
  }

  /// Whether words are missing. A file that could not be written any more ends as a failing source, and nothing of what
  /// stands in it need be missing.
  private var lacksWords: Bool { progress.heardSeconds + 0.1 < writer.format.seconds(writer.frameCount) }

  /// Notes and delivers what the recogniser gave. Of what is about the audio the pump has told.
  private func take(_ result: SessionResult) async {
    progress.step()
    switch result {
    case .transcript(let transcript):
      if transcript.isSentenceFinal, !transcript.text.isEmpty {
        log.note(.transcript(ReportTranscript(transcript)))
      }
    case .event(let event):
      if event.kind == .audioDropped || event.kind == .audioNotice { return }
      return desk.tell(event)
    case .failure(let failure):
      if failure.domain == SessionFailure.audioDomain { return }
      log.note(.failure(failure))
    case .recording, .finish: return
    }
    await queue.send(result)
  }
}
