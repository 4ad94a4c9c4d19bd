import AuricleAudio
import AuricleRecognition
import AuricleRecording
import Foundation

/// What became of a recording that had not come to its end.
public enum RecoveryOutcome: Sendable {
  /// It has its report now. Something is missing for that failure, if there is one.
  case recovered(RecordingReport, failure: SessionFailure?)
  /// It has a report for the time being, and its text comes with the next attempt once somebody has done something about
  /// that failure.
  case waiting(RecordingReport, SessionFailure)
  /// It still runs, or somebody else recovers it.
  case inUse
  /// It was stopped; the next attempt goes on where this one was.
  case stopped
}

/// Recovers one recording that did not come to its end: makes its audio whole, its text complete, and writes its report.
///
/// The attempt is noted before anything else, so that one that dies does not come again and again: when two have died, the
/// audio is left as it is and the text out. Audio is never deleted, and the journal goes last. It stays while the text waits
/// for something that a person can mend, such as a model that is not installed.
public struct RecordingRecovery<C: Clock>: Sendable where C.Duration == Duration {
  /// So many attempts may die before no more is done than to report what there is.
  public static var attemptLimit: Int { 2 }

  let folder: RecordingFolder
  let recognition: RecordingRecognition?
  let openAudio: @Sendable (String) async throws -> any AudioSource
  let stop: StopSignal
  let clock: C
  let wallClock: @Sendable () -> Timestamp

  /// Prepares a recovery; nothing happens yet.
  /// - Parameters:
  ///   - folder: The recording's folder.
  ///   - recognition: How it becomes text; `nil` leaves it without.
  ///   - openAudio: Opens an audio file, whole by then, as 16,000 Hz mono.
  ///   - stop: Ends the recovery, to be gone on with later.
  ///   - clock: Stamps the deliveries.
  ///   - wallClock: Tells the time of day for the journal.
  public init(
    folder: RecordingFolder, recognition: RecordingRecognition?,
    openAudio: @escaping @Sendable (String) async throws -> any AudioSource, stop: StopSignal = StopSignal(), clock: C,
    wallClock: @escaping @Sendable () -> Timestamp
  ) {
    self.folder = folder
    self.recognition = recognition
    self.openAudio = openAudio
    self.stop = stop
    self.clock = clock
    self.wallClock = wallClock
  }

  /// The folders of recordings without an end: those below a folder that hold a journal, and the folder itself.
  /// - Throws: ``SessionFailure``, when the folder cannot be looked into. None there is no failure.
  public static func folders(in root: String) throws(SessionFailure) -> [RecordingFolder] {
    var names: [String] = []
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: root)
    } catch {
      guard FileManager.default.fileExists(atPath: root) else { return [] }
      let message = "\(PlainText.line(root)) cannot be looked into; check its permissions"
      throw SessionFailure(.notPermitted, message)
    }
    let paths = [root] + names.sorted().map { "\(root)/\($0)" }
    return paths.map { RecordingFolder(path: $0) }.filter { FileManager.default.fileExists(atPath: $0.journalPath) }
  }

  /// Recovers it. Call it once.
  /// - Parameter deliver: Takes the results of what is transcribed, one after the other.
  /// - Throws: ``SessionFailure``, when it cannot be done; the journal is there still.
  public func run(deliver: @Sendable (SessionResult) async -> Void) async throws(SessionFailure) -> RecoveryOutcome {
    let log: RecordingLog
    do {
      log = try open()
    } catch {
      if (error as? RecordingError)?.kind == .inUse { return .inUse }
      throw SessionFailure(fromRecording: error)
    }
    if let report = reportOfDestroyed(log.fold) { return try withoutJournal(report, log) }
    let diedCount = log.fold.attemptCount
    if let failure = log.note(.attempt(wallClock())) { throw failure }
    do {
      return try await attempt(log, diedCount: diedCount, deliver)
    } catch {
      // It came to an end, though to no good one.
      log.note(.attemptStopped(wallClock()))
      throw error
    }
  }

  private func attempt(
    _ log: RecordingLog, diedCount: Int, _ deliver: @Sendable (SessionResult) async -> Void
  ) async throws(SessionFailure) -> RecoveryOutcome {
    if log.fold.mustDestroy { return try destroyed(log) }
    guard diedCount < Self.attemptLimit else { return try finished(log, leaveAudio(log, diedCount: diedCount)) }
    let audio = try mendAudio(log)
    let text = await completeText(of: audio, log, deliver)
    if stop.isStopped {
      log.note(.attemptStopped(wallClock()))
      return .stopped
    }
    switch text {
    case .complete: return try finished(log, log.report.errors.last(where: \.isDamage))
    case .failed(let failure): return try finished(log, failure)
    case .waiting(let failure): return .waiting(try leaveForLater(log, failure), failure)
    }
  }

  /// Writes a report for the time being; the journal stays, and the failure does not get into it.
  private func leaveForLater(_ log: RecordingLog, _ failure: SessionFailure) throws(SessionFailure) -> RecordingReport {
    log.note(.textPending)
    log.note(.reported(revision: log.report.revision))
    var report = log.report
    report.errors.append(failure)
    try RecordingDocuments(folder: folder.path).write(report)
    log.note(.attemptStopped(wallClock()))
    return report
  }

  /// The journal, from now on ours. One without a header gets one from what else is known.
  private func open() throws -> RecordingLog {
    let journal = try Journal(reopening: folder.journalPath)
    let fold = JournalFold(folder: folder.path, lines: try Journal.read(folder.journalPath))
    guard !fold.isNewer else {
      throw SessionFailure(
        .unsupportedFormat, "\(PlainText.line(folder.path)): a newer version recorded it; recover it with that one")
    }
    return RecordingLog(journal: journal, fold: fold)
  }

  /// The report of a recording that was destroyed and killed while its journal was overwritten, which is the last to go.
  /// What is left of that journal knows nothing.
  private func reportOfDestroyed(_ fold: JournalFold) -> RecordingReport? {
    guard fold.header == nil, folder.format == nil else { return nil }
    let data = try? Data(contentsOf: URL(filePath: folder.reportPath))
    let report = data.flatMap { try? JSONDecoder().decode(RecordingReport.self, from: $0) }
    return report?.isDestroyed == true ? report : nil
  }

  private func withoutJournal(_ report: RecordingReport, _ log: RecordingLog) throws(SessionFailure) -> RecoveryOutcome
  {
    do {
      try RecordingFolder.destroyFile(folder.journalPath)
      try log.remove()
      return .recovered(report, failure: nil)
    } catch {
      throw SessionFailure(fromRecording: error)
    }
  }

  /// Consent was withdrawn, and it was killed before everything was destroyed.
  private func destroyed(_ log: RecordingLog) throws(SessionFailure) -> RecoveryOutcome {
    if let header = log.fold.header { noteEnd(header, seconds: log.fold.leastSeconds, log) }
    let (report, failure) = RecordingDestruction(folder.path, log).run()
    if let failure { throw failure }
    return .recovered(report, failure: nil)
  }

  private func finished(_ log: RecordingLog, _ failure: SessionFailure?) throws(SessionFailure) -> RecoveryOutcome {
    do {
      try RecordingDocuments(folder: folder.path).write(log.report)
      folder.removeSpool()
      try log.remove()
      return .recovered(log.report, failure: failure)
    } catch {
      throw SessionFailure(fromRecording: error)
    }
  }
}

extension SessionFailure {
  /// Whether it says that a recording's audio is damaged.
  fileprivate var isDamage: Bool { domain == Self.recordingDomain && code == RecordingError.Kind.damaged.name }
}
