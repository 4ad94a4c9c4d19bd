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

  /// The report of what was noted so far.
  var report: RecordingReport { state.withLock { $0.fold.report } }

  /// Notes an entry.
  /// - Returns: The failure, the first time that the journal could not be written.
  @discardableResult
  func note(_ entry: JournalEntry) -> SessionFailure? {
    state.withLock { state in
      state.fold.apply(entry)
      guard !state.isBroken else { return nil }
      do {
        try journal.append(line: try entry.line())
        return nil
      } catch {
        state.isBroken = true
        let failure = SessionFailure(fromRecording: error)
        state.fold.apply(.failure(failure))
        return failure
      }
    }
  }

  /// The report is there: nothing is left to recover.
  func remove() throws { try journal.remove() }
}
