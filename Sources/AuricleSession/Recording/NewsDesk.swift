import AuricleRecognition

/// Where everything is told that happens in a recording beside the words: stamped, noted and delivered in one order, so that
/// the report has the same events in the same order as the stream. Tells nothing any more once the report is made.
final class NewsDesk: Sendable {
  private let log: RecordingLog
  private let queue: DeliveryQueue
  private let moment: @Sendable () -> SessionEvent.Moment
  private let isClosed = Guarded(false)

  init(log: RecordingLog, queue: DeliveryQueue, moment: @escaping @Sendable () -> SessionEvent.Moment) {
    self.log = log
    self.queue = queue
    self.moment = moment
  }

  /// Tells of an event.
  func tell(_ event: SessionEvent) {
    isClosed.withLock { isClosed in
      if !isClosed { tellNow(event) }
    }
  }

  /// Tells of a failure.
  func tell(_ failure: SessionFailure) {
    isClosed.withLock { isClosed in
      guard !isClosed else { return }
      log.note(.failure(failure))
      queue.post(.failure(failure))
    }
  }

  /// Notes an event that was delivered before there was a desk.
  func note(_ event: SessionEvent) { log.note(.event(ReportEvent(event))) }

  /// Tells of a last event, and of none after it.
  func close(with last: SessionEvent?) {
    isClosed.withLock { isClosed in
      if !isClosed, let last { tellNow(last) }
      isClosed = true
    }
  }

  private func tellNow(_ event: SessionEvent) {
    var event = event
    event.moment = event.moment ?? moment()
    event.evidence = event.evidence ?? event.kind.usualEvidence
    log.note(.event(ReportEvent(event)))
    queue.post(.event(event))
  }
}
