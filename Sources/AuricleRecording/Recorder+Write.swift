import AuricleAudio

extension Recorder {
  /// Finds the place of what came, and fills what is missing before it.
  /// - Returns: How many of its first frames are in the file already.
  func begin(_ frames: Range<Int64>, _ sampleRate: Int, _ fits: Bool) throws(RecordingError) -> Int64 {
    switch phase {
    case .recording: break
    case .failed(let error): throw error
    case .finished: throw RecordingError(.writeFailed, "\(shownName(path)) is finished; nothing can be added")
    }
    guard fits else { throw fail(RecordingError(.unsupportedFormat, unfitting(sampleRate))) }
    guard let placement = timeline.place(frames) else {
      throw fail(RecordingError(.writeFailed, "the source's numbering jumped from \(timeline.nextFrame) to \(frames)"))
    }
    if placement.repeatedFrameCount > 0 {
      progress.update { $0.snapshot.repeatedFrameCount += placement.repeatedFrameCount }
    }
    if let missing = placement.missing { try writeSilence(missing, .overrun) }
    return placement.repeatedFrameCount
  }

  private func unfitting(_ sampleRate: Int) -> String {
    "the source changed its format to \(sampleRate) Hz while \(audio.sampleRate) Hz, \(audio.channelCount) channels, "
      + "was recorded"
  }

  /// Writes samples: first into the file, then for the tails.
  func write(_ samples: [Int16]) throws(RecordingError) {
    let fault = attempt { () throws(WriteFault) in try writer.write(samples) }
    let count = writer.frameCount - timeline.nextFrame
    feedSpool { spool throws(SystemError) in try spool.write(samples) }
    publish(missing: nil, count)
    if let fault { throw fail(RecordingError(fault, path)) }
  }

  /// Writes silence where audio is missing, piece by piece.
  func writeSilence(_ frames: Range<Int64>, _ reason: AudioGap.Reason) throws(RecordingError) {
    while timeline.nextFrame < frames.upperBound {
      let rest = frames.upperBound - timeline.nextFrame
      var done: Int64 = 0
      let fault = attempt { () throws(WriteFault) in done = try writer.writeSilence(rest) }
      if fault == nil { feedSpool { spool throws(SystemError) in try spool.writeSilence(done) } }
      publish(missing: reason, writer.frameCount - timeline.nextFrame)
      if let fault { throw fail(RecordingError(fault, path)) }
      if timeline.nextFrame < frames.upperBound { try lookAfter() }
    }
  }

  private func attempt(_ body: () throws(WriteFault) -> Void) -> WriteFault? {
    do throws(WriteFault) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// A spool that cannot be written costs the recogniser its source, and the recording nothing.
  private func feedSpool(_ body: (Spool) throws(SystemError) -> Void) {
    guard let spool else { return }
    do throws(SystemError) {
      try body(spool)
    } catch {
      let words = "the copy for the recogniser cannot be written: \(error.words)"
      let failure = AudioError(.readFailed, words, platformCode: Int(error.code))
      let frameCount = spool.frameCount
      progress.update { ledger in
        ledger.tail.readableFrameCount = frameCount
        ledger.tail.failure = failure
      }
      spool.removeName()
      self.spool = nil
    }
  }

  /// There is nothing that tails could read.
  func refuseTails() {
    progress.update { $0.tail.failure = AudioError(.readFailed, "the recording keeps no copy for a recogniser") }
  }

  /// Tells the readers how far the file is.
  private func publish(missing reason: AudioGap.Reason?, _ count: Int64) {
    let frames = timeline.nextFrame..<timeline.nextFrame + count
    timeline.advance(to: frames.upperBound)
    let byteCount = writer.byteCount
    progress.update { ledger in
      ledger.snapshot.frameCount = frames.upperBound
      ledger.snapshot.byteCount = byteCount
      if ledger.tail.failure == nil { ledger.tail.readableFrameCount = frames.upperBound }
      guard let reason, !frames.isEmpty else { return }
      ledger.snapshot.missingFrameCount += count
      ledger.tail.gaps.add(frames, reason)
    }
  }

  /// Tells the readers about the disk.
  func publish(freeByteCount: Int64) {
    let byteCount = writer.byteCount
    progress.update { ledger in
      ledger.snapshot.freeByteCount = freeByteCount
      ledger.snapshot.byteCount = byteCount
    }
  }
}
