import AuricleAudio
import AuricleRecognition

extension RecordingRun {
  /// Recognises what is written, until all is recognised or nothing more is to be expected.
  func recognise(with recognition: RecordingRecognition, closed: StopSignal) async {
    await withTaskGroup(of: Bool.self) { group in
      defer { progress.deafen() }
      group.addTask {
        await recognise(with: recognition)
        return true
      }
      group.addTask {
        await giveUp(closed: closed)
        return false
      }
      let isDone = await group.next() ?? false
      if Task.isCancelled { log.note(.incomplete(.interrupted)) } else if !isDone { log.note(.incomplete(.timedOut)) }
      group.cancelAll()
    }
  }

  /// Returns when nothing more is to be expected: nothing came for a while after the file was closed, or there is a hurry.
  private func giveUp(closed: StopSignal) async {
    guard await closed.wait() else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        guard await hurry.wait() else { return }
        try? await clock.sleep(for: limits.hurried)
      }
      group.addTask { await waitForStandstill() }
      await group.next()
      group.cancelAll()
    }
  }

  /// A recogniser that still loads may take its time, and one that is there must bring something.
  private func waitForStandstill() async {
    if !progress.isLoaded {
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

  private func recognise(with recognition: RecordingRecognition) async {
    do {
      let provider = try await recognition.provider()
      progress.loaded.stop()
      let session = try await provider.startSession(recognition.configuration)
      let names = ReportProvider(vendor: provider.vendor, model: provider.model)
      log.note(.provider(names))
      let source = HeardSource(source: recognition.speech(writer.makeTail())) { progress.hear($0) }
      let run = TranscriptionRun(
        source: source, session: session, context: ReportContext(provider: names), limits: RunLimits(afterEnd: nil),
        clock: clock, wallClock: wallClock)
      let report = await run.run { await take($0.result) }
      if report.isIncomplete, !Task.isCancelled, lacksWords(report) { log.note(.incomplete(.recognitionFailed)) }
    } catch is CancellationError {
      return
    } catch {
      await take(.failure((error as? RecognitionError).map { SessionFailure($0) } ?? SessionFailure(fromSource: error)))
    }
  }

  /// Whether words are missing. A file that could not be written any more ends as a failing source, and nothing of what
  /// stands in it need be missing.
  private func lacksWords(_ report: RecordingReport) -> Bool {
    guard report.incompleteReason == .sourceFailed else { return true }
    return progress.heardSeconds + 0.1 < writer.format.seconds(writer.frameCount)
  }

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
      log.note(.event(ReportEvent(event)))
    case .failure(let failure):
      if failure.domain == SessionFailure.audioDomain { return }
      log.note(.failure(failure))
    case .recording, .finish: return
    }
    await queue.send(result)
  }
}

/// A source that says how far it was read, in seconds.
private struct HeardSource: AudioSource {
  let source: any AudioSource
  let onProgress: @Sendable (Double) -> Void

  var format: AudioFormat { source.format }
  var expectedFrameCount: Int64? { source.expectedFrameCount }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    let chunk = try await source.next(maxFrames: maxFrames)
    switch chunk {
    case .audio(let block): onProgress(format.seconds(block.frames.upperBound))
    case .gap(let gap): onProgress(format.seconds(gap.frames.upperBound))
    case .notice, nil: break
    }
    return chunk
  }
}
