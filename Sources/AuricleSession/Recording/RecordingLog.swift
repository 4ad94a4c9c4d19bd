import AuricleAudio
import AuricleRecognition

/// A recording's journal and what it folds to, written by whoever has something to note.
///
/// A journal that cannot be written costs no audio: the failure is noted once, in memory, and the report has it.
final class RecordingLog: Sendable {
  private struct State {
    var fold: JournalFold
    var isBroken = false
  }

  private let journal: any JournalWriter
  private let state: Guarded<State>

  init(journal: any JournalWriter, folder: String) {
    self.journal = journal
    state = Guarded(State(fold: JournalFold(folder: folder)))
  }

  /// Goes on behind what a journal holds already.
  init(journal: any JournalWriter, fold: JournalFold) {
    self.journal = journal
    state = Guarded(State(fold: fold))
  }

  /// What was noted so far.
  var fold: JournalFold { state.withLock { $0.fold } }
  /// The report of what was noted so far.
  var report: RecordingReport { fold.report }

  /// Notes an entry, and gives it to the disk if it is one that may not be lost with the machine's power.
  /// - Returns: The failure, the first time that the journal could not be written.
  @discardableResult
  func note(_ entry: JournalEntry) -> SessionFailure? {
    let failure = attempt { state in
      state.fold.apply(entry)
      if !state.isBroken { try journal.append(line: try entry.line()) }
    }
    guard failure == nil, entry.isPrecious else { return failure }
    // Outside the lock: who records shall not wait for the disk because of somebody else's entry.
    var syncError: (any Error)?
    do { try journal.sync() } catch { syncError = error }
    return syncError.flatMap { error in attempt { _ in throw error } }
  }

  private func attempt(_ body: (inout State) throws -> Void) -> SessionFailure? {
    state.withLock { state in
      do {
        try body(&state)
        return nil
      } catch {
        guard !state.isBroken else { return nil }
        state.isBroken = true
        let failure = SessionFailure(fromRecording: error)
        state.fold.apply(.failure(failure))
        return failure
      }
    }
  }

  /// The report is there: nothing is left to recover.
  func remove() throws { try journal.remove() }

  /// The journal stays, for whoever adds what is missing.
  func leave() { journal.leave() }
}

extension JournalEntry {
  /// Whether the entry may not be lost.
  fileprivate var isPrecious: Bool {
    switch self {
    case .header, .transcript, .stopped, .ended, .attempt, .attemptStopped, .textPending, .textComplete, .reported,
      .destroyed:
      true
    // Who withdraws does not wait for the disk; what the run notes after it takes that with it.
    case .provider, .gap, .event, .notice, .failure, .incomplete, .offline, .disconnected, .destroy: false
    }
  }
}
