/// Somebody who waits with a result, or the result of somebody who waits no longer.
struct ResultSender: Sendable {
  let id: Int
  let result: RecognitionResult
  /// Goes on when there is room; `nil` when the task went on without waiting.
  var continuation: CheckedContinuation<Void, Never>?
}

/// Somebody who waits for a result.
struct ResultReader: Sendable {
  let id: Int
  let continuation: CheckedContinuation<RecognitionResult?, Never>
}

/// Who goes on, and with what.
enum Resumption: Sendable {
  case reader(ResultReader, RecognitionResult?)
  case sender(ResultSender)

  func perform() {
    switch self {
    case .reader(let reader, let result): reader.continuation.resume(returning: result)
    case .sender(let sender): sender.continuation?.resume()
    }
  }
}

/// The stream's state: at any time there are waiting results or a waiting reader, never both, and senders wait only while
/// as many results wait as may.
struct ResultStreamState: Sendable {
  private var waiting: [RecognitionResult] = []
  private var senders: [ResultSender] = []
  private var reader: ResultReader?
  private var isFinished = false
  private var nextID = 0

  mutating func newID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  mutating func send(_ sender: ResultSender, capacity: Int, isCancelled: Bool) -> [Resumption] {
    guard !isFinished else { return [.sender(sender)] }
    if let reader = take(&reader) { return [.reader(reader, sender.result), .sender(sender)] }
    if merge(sender.result) { return [.sender(sender)] }
    guard waiting.count >= capacity else {
      waiting.append(sender.result)
      return [.sender(sender)]
    }
    senders.append(sender)
    return isCancelled ? releaseSender(sender.id) : []
  }

  /// A sender waits no longer; its result stays in its place.
  mutating func releaseSender(_ id: Int) -> [Resumption] {
    guard let place = senders.firstIndex(where: { $0.id == id }) else { return [] }
    let sender = senders[place]
    senders[place].continuation = nil
    return [.sender(sender)]
  }

  mutating func receive(_ newReader: ResultReader, isCancelled: Bool) -> [Resumption] {
    guard !isCancelled else { return [.reader(newReader, nil)] }
    guard !waiting.isEmpty else {
      guard !isFinished else { return [.reader(newReader, nil)] }
      let old = take(&reader)
      reader = newReader
      return old.map { [.reader($0, nil)] } ?? []
    }
    let result = waiting.removeFirst()
    guard !senders.isEmpty else { return [.reader(newReader, result)] }
    let sender = senders.removeFirst()
    waiting.append(sender.result)
    return [.reader(newReader, result), .sender(sender)]
  }

  /// A reader that waits no longer gets the end; one whose place was taken is not there any more.
  mutating func dropReader(_ id: Int) -> [Resumption] {
    guard reader?.id == id else { return [] }
    return take(&reader).map { [.reader($0, nil)] } ?? []
  }

  /// What waits stays, also with the senders, so more may wait than otherwise. Harmless when repeated.
  mutating func finish() -> [Resumption] {
    isFinished = true
    let released = senders.map(Resumption.sender)
    waiting += senders.map(\.result)
    senders = []
    return released + (take(&reader).map { [.reader($0, nil)] } ?? [])
  }

  /// Harmless when repeated.
  mutating func cancel() -> [Resumption] {
    let released = finish()
    waiting = []
    return released
  }

  /// Drops the waiting text of an unfinished sentence for a newer one, which waits behind what came in between.
  private mutating func merge(_ result: RecognitionResult) -> Bool {
    guard senders.isEmpty, let index = result.unfinishedIndex,
      let place = waiting.lastIndex(where: \.isTranscript), waiting[place].unfinishedIndex == index
    else { return false }
    waiting.remove(at: place)
    waiting.append(result)
    return true
  }
}

extension RecognitionResult {
  fileprivate var isTranscript: Bool {
    if case .transcript = self { true } else { false }
  }

  /// The index of an unfinished sentence.
  fileprivate var unfinishedIndex: Int? {
    if case .transcript(let transcript) = self, !transcript.isSentenceFinal { transcript.sentenceIndex } else { nil }
  }
}

private func take<T>(_ value: inout T?) -> T? {
  defer { value = nil }
  return value
}
