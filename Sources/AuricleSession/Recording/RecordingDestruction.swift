import AuricleRecording

/// Destroys a recording whose consent was taken back, and writes the report that says so.
///
/// The order is such that it can be killed at any moment: the journal says first that everything is to go, and goes last, so
/// whoever recovers the recording goes on with its destruction.
struct RecordingDestruction: Sendable {
  let folder: RecordingFolder
  let log: RecordingLog

  init(_ folder: String, _ log: RecordingLog) {
    self.folder = RecordingFolder(path: folder)
    self.log = log
  }

  /// Destroys everything. Nobody may write to the audio any more.
  /// - Returns: The report, without words, and what went wrong: the journal is there still then.
  func run() -> (RecordingReport, SessionFailure?) {
    do {
      try folder.destroyRecording()
      // One that was issued before has words in it.
      try RecordingFolder.destroyFile(folder.reportPath)
      log.note(.destroyed)
      try RecordingDocuments(folder: folder.path).writeReport(log.report)
      try RecordingFolder.destroyFile(folder.journalPath)
      try log.remove()
      return (log.report, nil)
    } catch {
      let failure = SessionFailure(fromRecording: error)
      var report = log.report
      report.errors.append(failure)
      log.leave()
      return (report, failure)
    }
  }
}
