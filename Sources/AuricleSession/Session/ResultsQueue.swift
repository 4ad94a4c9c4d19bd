import AuricleRecognition

/// What a session has delivered and its reader has not taken. Who delivers never waits.
///
/// Of a recording's statuses only the newest waits, and of each unfinished sentence only its newest text, which gives way to
/// the final one; both move behind what came before them. Everything else is kept: it is part of the report as well, so what
/// waits never grows beyond what the report holds.
final class ResultsQueue: Sendable {
  private typealias Reader = CheckedContinuation<SessionDelivery?, Never>

  private struct Item: Sendable {
    let number: Int
    let delivery: SessionDelivery
  }

  private struct State {
    var kept: [Item] = []
    var takenCount = 0
    var status: Item?
    var sentences: [Int: Item] = [:]
    var isOver = false
    var nextNumber = 0
    var nextID = 0
    var reader: (id: Int, continuation: Reader)?

    mutating func put(_ delivery: SessionDelivery) {
      let item = Item(number: nextNumber, delivery: delivery)
      nextNumber += 1
      switch delivery.result {
      case .recording: status = item
      case .transcript(let transcript):
        sentences[transcript.sentenceIndex] = transcript.isSentenceFinal ? nil : item
        if transcript.isSentenceFinal { kept.append(item) }
      case .event, .failure, .finish: kept.append(item)
      }
    }

    /// What came first of all that waits.
    mutating func take() -> SessionDelivery? {
      let first = takenCount < kept.count ? kept[takenCount] : nil
      let sentence = sentences.min { $0.value.number < $1.value.number }
      let number = min(first?.number ?? .max, status?.number ?? .max, sentence?.value.number ?? .max)
      if let first, first.number == number { return takeKept(first) }
      if let status, status.number == number {
        self.status = nil
        return status.delivery
      }
      return sentence.flatMap { sentences.removeValue(forKey: $0.key)?.delivery }
    }

    private mutating func takeKept(_ item: Item) -> SessionDelivery {
      takenCount += 1
      if takenCount * 2 > kept.count {
        kept.removeFirst(takenCount)
        takenCount = 0
      }
      return item.delivery
    }

    /// The reader and what it gets, if it need not wait any more.
    mutating func answer() -> (Reader, SessionDelivery?)? {
      guard let reader = reader?.continuation else { return nil }
      let delivery = take()
      guard delivery != nil || isOver else { return nil }
      self.reader = nil
      return (reader, delivery)
    }
  }

  private let state = Guarded(State())

  /// Whether somebody waits.
  var hasReader: Bool { state.withLock { $0.reader != nil } }

  /// Delivers. Nothing is delivered any more after ``finish()``.
  func put(_ delivery: SessionDelivery) {
    change { state in
      if !state.isOver { state.put(delivery) }
    }
  }

  /// Thrown when nothing is delivered any more, whether or not it was all taken.
  let over = StopSignal()

  /// Ends behind what waits.
  func finish() {
    change { $0.isOver = true }
    over.stop()
  }

  /// Waits for what comes next; `nil` at the end, and when the task is cancelled. While one waits, a second one that asks takes
  /// its place and ends it.
  func next() async -> SessionDelivery? {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let before = state.withLock { state in
          defer { state.reader = (id, continuation) }
          return state.reader?.continuation
        }
        before?.resume(returning: nil)
        if Task.isCancelled { drop(id) } else { change { _ in } }
      }
    } onCancel: {
      drop(id)
    }
  }

  private func drop(_ id: Int) {
    let reader: Reader? = state.withLock { state in
      guard let reader = state.reader, reader.id == id else { return nil }
      state.reader = nil
      return reader.continuation
    }
    reader?.resume(returning: nil)
  }

  private func change(_ body: (inout State) -> Void) {
    let answer = state.withLock { state in
      body(&state)
      return state.answer()
    }
    if let (reader, delivery) = answer { reader.resume(returning: delivery) }
  }
}
