import AuricleRecognition

/// A part of a run that has ended.
enum Part: Sendable {
  /// No more audio is fed.
  case fed(Feed)
  /// No more is recognised.
  case heard(TranscriptionOutcome)
}

/// Puts together why a run ended: decides, and does nothing.
struct RunEnding: Sendable {
  /// What the report is told.
  private(set) var entries: [ReportEntry] = []
  /// The failure that was not delivered yet.
  private(set) var failure: SessionFailure?
  private var feed = Feed()
  private var outcome = TranscriptionOutcome.complete

  /// Takes in how a part ended.
  mutating func add(_ part: Part) {
    switch part {
    case .fed(let feed): self.feed = feed
    case .heard(let outcome): self.outcome = outcome
    }
  }

  /// Decides, once both parts are known.
  mutating func close(isCancelled: Bool, isStopped: Bool) {
    let isInterrupted = isCancelled || isStopped
    entries += feed.entries
    if isCancelled { entries.append(.incomplete(.interrupted)) }
    switch feed.end {
    case .complete: break
    case .cut: if isInterrupted { entries.append(.incomplete(.interrupted)) }
    case .failed(let failure): add(failure)
    }
    switch outcome {
    // What failed for good was shown when it did.
    case .complete, .failed: break
    case .cut: entries.append(.incomplete(isInterrupted ? .interrupted : .timedOut))
    case .unreadable(let failure): if self.failure == nil { add(failure) }
    case .pending(let error):
      entries.append(.incomplete(isInterrupted ? .interrupted : .recognitionFailed))
      if isInterrupted, let error { add(SessionFailure(error)) }
    }
  }

  private mutating func add(_ failure: SessionFailure) {
    self.failure = failure
    entries.append(.failure(failure))
  }
}

extension ReportEntry {
  /// A result as it goes into the report; `nil` for what leaves no trace there.
  init?(_ result: SessionResult) {
    switch result {
    case .transcript(let transcript): self = .transcript(transcript)
    case .event(let event): self = .event(event)
    case .failure(let failure): self = .failure(failure)
    case .recording, .finish: return nil
    }
  }
}
