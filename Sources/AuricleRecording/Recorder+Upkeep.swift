import AuricleAudio

extension Recorder {
  /// Gives the file to the disk, and looks at folder and free space, whenever that is due.
  func lookAfter() throws(RecordingError) {
    let now = elapsed()
    if upkeep.takeCheck(at: now, byteCount: writer.byteCount + (spool.map { $0.byteCount($0.frameCount) } ?? 0)) {
      try check()
    }
    if let failure = diskSync.takeFailure() { throw fail(unsynced(failure)) }
    if upkeep.takeSync(at: now) {
      let (settled, progress) = (writer.settledFrameCount, progress)
      diskSync.begin(writer.file) { progress.update { $0.snapshot.durableFrameCount = settled } }
    }
  }

  private func check() throws(RecordingError) {
    if watch.isGone { throw fail(watch.error) }
    guard let free = watch.freeByteCount else { return }
    publish(freeByteCount: free)
    guard free < limits.freeByteFloor else { return }
    if dropSpool(toGain: limits.freeByteFloor - free) { return }
    throw fail(.storageFull(path, freeByteCount: free))
  }

  /// Gives up the recogniser's copy rather than the recording, if that helps.
  private func dropSpool(toGain byteCount: Int64) -> Bool {
    guard let spool else { return false }
    let released = progress.update { $0.tail.releasedFrame }
    guard spool.byteCount(spool.frameCount - released) >= byteCount else { return false }
    dropSpool()
    return true
  }

  private func unsynced(_ error: SystemError) -> RecordingError { RecordingError(error, "give to the disk", path) }

  private func sync() throws(RecordingError) {
    diskSync.wait()
    let settled = writer.settledFrameCount
    do throws(SystemError) {
      try writer.file.sync()
    } catch {
      throw unsynced(error)
    }
    progress.update { $0.snapshot.durableFrameCount = settled }
  }

  /// Keeps the first failure, and tells everybody.
  func fail(_ error: RecordingError) -> RecordingError {
    phase = .failed(error)
    progress.update { ledger in
      ledger.snapshot.failure = error
      if ledger.tail.failure == nil { ledger.tail.failure = AudioError(recording: error) }
    }
    return error
  }

  /// Makes the file whole and gives it to the disk.
  func close() throws(RecordingError) {
    do throws(WriteFault) {
      if case .failed = phase { try writer.mend() } else { try writer.finish() }
    } catch {
      throw RecordingError(error, path)
    }
    try sync()
    syncFolder(folder.path)
  }

  /// Nothing is written any more.
  func end(_ error: RecordingError?) {
    phase = .finished
    spool?.removeName()
    spool = nil
    let (frameCount, byteCount) = (writer.frameCount, writer.byteCount)
    progress.update { ledger in
      ledger.snapshot.isEnded = true
      ledger.snapshot.frameCount = frameCount
      ledger.snapshot.byteCount = byteCount
      guard let error else { return }
      ledger.snapshot.failure = ledger.snapshot.failure ?? error
      ledger.tail.failure = ledger.tail.failure ?? AudioError(recording: error)
    }
  }
}

extension AudioError {
  /// What the failure of a recording is to somebody who reads it.
  init(recording error: RecordingError) {
    self.init(.readFailed, "the recording ended: \(error.message)", platformCode: error.platformCode)
  }
}

extension RecordingError {
  /// There is less room than has to stay.
  static func storageFull(_ path: String, freeByteCount: Int64) -> RecordingError {
    let words = "only \(freeByteCount >> 20) MiB are free on the disk of \(shownName(path))"
    return RecordingError(.storageFull, "\(words); make room, or record to another folder")
  }
}
