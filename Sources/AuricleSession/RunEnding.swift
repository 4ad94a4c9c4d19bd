import AuricleRecognition

/// A part of a run that has ended.
enum Part: Sendable {
  /// No more audio is fed.
  case fed(Feed)
  /// No more results come, or nothing is left to wait for.
  case read
  /// The last results did not come in time.
  case timedOut
}

/// Puts together why a run ended: decides, and does nothing.
struct RunEnding: Sendable {
  /// What the report is told.
  private(set) var entries: [ReportEntry] = []
  /// The failure that ended the audio.
  private(set) var failure: SessionFailure?
  private let isInterrupted: Bool

  /// Begins with who wanted the end.
  init(isCancelled: Bool, isStopped: Bool) {
    isInterrupted = isCancelled || isStopped
    if isCancelled { entries.append(.incomplete(.interrupted)) }
  }

  /// Takes in how a part ended.
  mutating func add(_ part: Part) {
    switch part {
    case .fed(let feed): add(feed)
    case .read: break
    case .timedOut: entries.append(.incomplete(isInterrupted ? .interrupted : .timedOut))
    }
  }

  private mutating func add(_ feed: Feed) {
    entries += feed.entries
    switch feed.end {
    case .complete: break
    case .cut: entries.append(.incomplete(isInterrupted ? .interrupted : .recognitionFailed))
    case .failed(let failure):
      self.failure = failure
      entries.append(.failure(failure))
    }
  }
}

extension ReportEntry {
  /// A recogniser's result as it goes into the report.
  init(_ result: RecognitionResult) {
    switch result {
    case .transcript(let transcript): self = .transcript(transcript)
    case .event(let event): self = .event(event)
    case .error(let error): self = .failure(SessionFailure(error))
    }
  }
}

extension SessionResult {
  /// A recogniser's result as a session delivers it.
  init(_ result: RecognitionResult) {
    switch result {
    case .transcript(let transcript): self = .transcript(transcript)
    case .event(let event): self = .event(event)
    case .error(let error): self = .failure(SessionFailure(error))
    }
  }
}
