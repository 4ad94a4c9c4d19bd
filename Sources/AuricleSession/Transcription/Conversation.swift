import AuricleAudio
import AuricleRecognition

/// Feeds an open session with the recording, and takes what it brings, both at the same time.
struct Conversation: Sendable {
  /// How the feeding ended.
  private enum Feed: Sendable {
    /// The recording is at its end.
    case complete
    /// Nobody wants more.
    case cut
    /// The session refused it.
    case refused(RecognitionError)
    /// The recording could not be read any further.
    case unreadable(SessionFailure)
  }

  private enum Part: Sendable {
    case fed(Feed)
    /// No more results come. The error is the last that came, with nothing behind it.
    case read(RecognitionError?)
  }

  /// The most frames that are read at once: a tenth of a second.
  private static let blockFrameCount = 1_600

  private let session: PatientSession
  private let transcriber: Transcriber
  private let place: TranscriptionPlace
  private let sitting: Sitting
  private let start: Int64
  /// How far the session was fed, in frames at 16,000 Hz.
  private let heard: Guarded<Int64>

  /// Prepares a conversation with an open session, of which nothing was read.
  /// - Parameter start: The first frame that it is to hear, at 16,000 Hz.
  init(
    session: PatientSession, transcriber: Transcriber, place: TranscriptionPlace, sitting: Sitting, start: Int64
  ) {
    self.session = session
    self.transcriber = transcriber
    self.place = place
    self.sitting = sitting
    self.start = start
    heard = Guarded(start)
  }

  /// Runs until no more results come.
  func run() async -> Sitting.Ending {
    await withTaskGroup(of: Part.self) { group in
      group.addTask { .fed(await feed()) }
      group.addTask { .read(await read()) }
      var end = Feed.cut
      var error: RecognitionError?
      for await part in group {
        switch part {
        case .fed(let feed): end = feed
        case .read(let last):
          error = last
          // Whoever still feeds it is let go.
          await session.cancel()
          group.cancelAll()
        }
      }
      return Task.isCancelled ? .cancelled : ending(end, error)
    }
  }

  private func ending(_ feed: Feed, _ error: RecognitionError?) -> Sitting.Ending {
    if let error { return .failed(Setback(error: error, stage: .answering)) }
    switch feed {
    case .complete: return .finished
    case .refused(let error): return .failed(Setback(error: error, stage: .feeding))
    case .unreadable(let failure): return .unreadable(failure)
    case .cut:
      let error = RecognitionError(.failed, "the provider stopped before the recording did; it is asked again")
      return .failed(Setback(error: error, stage: .answering))
    }
  }

  private func feed() async -> Feed {
    let frame = place.firstFrame(for: start)
    let source = RestSource(transcriber.speech(place.read(frame)), from: start)
    let end = await feed(source)
    switch end {
    case .complete:
      await transcriber.tell(.aiServiceEndRecording, in: place)
      await session.finish()
    // What it would make of half a sentence is no sentence: the next session hears it whole.
    case .refused: await session.cancel()
    case .cut where Task.isCancelled: await session.cancel()
    // Where it ended by itself, what it said is still to be read.
    case .cut, .unreadable: await session.finish()
    }
    return end
  }

  private func feed(_ source: RestSource) async -> Feed {
    while !Task.isCancelled {
      let chunk: AudioChunk?
      do {
        chunk = try await source.next(maxFrames: Self.blockFrameCount)
      } catch is CancellationError {
        return .cut
      } catch {
        return .unreadable(SessionFailure(fromSource: error))
      }
      guard let chunk else { return .complete }
      hear(chunk)
      do throws(RecognitionError) {
        try await session.accept(chunk)
      } catch {
        return error.kind == .cancelled ? .cut : .refused(error)
      }
    }
    return .cut
  }

  /// Before it is given on, since what is said of it may come before that returns.
  private func hear(_ chunk: AudioChunk) {
    let end: Int64
    switch chunk {
    case .audio(let block): end = block.frames.upperBound
    case .gap(let gap): end = gap.frames.upperBound
    case .notice: return
    }
    heard.withLock { $0 = max($0, end) }
    place.heard(AudioFormat.speech.seconds(end))
  }

  private func read() async -> RecognitionError? {
    var latest: RecognitionError?
    for await result in session.results {
      // It went on behind its failure, which cost a part of the text.
      if let error = latest { await place.take(.failure(SessionFailure(error))) }
      latest = nil
      switch result {
      case .transcript(let transcript):
        if let refusal = await take(transcript) { return refusal }
      case .event(let event):
        if transcriber.text.withLock({ $0.isNew(event) }) { await place.take(.event(event)) }
      case .error(let error): latest = error
      }
    }
    return latest
  }

  private func take(_ transcript: Transcript) async -> RecognitionError? {
    let heard = heard.withLock { $0 }
    let (verdict, anchor) = transcriber.text.withLock { text in
      (text.take(transcript, heard: heard), text.anchor)
    }
    switch verdict {
    case .ignore: return nil
    case .refuse(let error): return error
    case .deliver(let transcript):
      await place.take(.transcript(transcript))
      for event in transcriber.text.withLock({ $0.newSpeakers(in: transcript) }) { await place.take(.event(event)) }
      guard transcript.isSentenceFinal else { return nil }
      // Its words are in the journal by now.
      place.keep(place.firstFrame(for: anchor))
      transcriber.mail.yield(.progressed(sitting.number))
      return nil
    }
  }
}
