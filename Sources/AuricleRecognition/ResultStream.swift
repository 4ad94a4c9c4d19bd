import Synchronization

/// An ordered, bounded stream of results from one recogniser to one reader.
///
/// The rule for slow readers: a text of an unfinished sentence that waits is replaced by a newer one of the same sentence;
/// nothing else is ever dropped. When ``capacity`` results wait, the recogniser waits for the reader.
public final class ResultStream: AsyncSequence, Sendable {
  /// What the stream delivers.
  public typealias Element = RecognitionResult

  /// How many results may wait.
  public let capacity: Int
  private let state = Mutex(State())

  /// Creates an open, empty stream.
  public init(capacity: Int = 64) {
    precondition(capacity > 0, "a stream holds at least one result")
    self.capacity = capacity
  }

  /// Delivers a result. Waits while the stream is full; returns at once when it is closed.
  public func send(_ result: RecognitionResult) async {
    await withCheckedContinuation { continuation in
      perform { $0.send(result, capacity: capacity, sender: continuation) }
    }
  }

  /// Ends the stream behind what waits.
  public func finish() {
    perform { $0.finish() }
  }

  /// Ends the stream and drops what waits.
  public func cancel() {
    perform { $0.cancel() }
  }

  /// Begins to read. There is one reader; a second one shares the results with it.
  public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

  /// Reads the stream.
  public struct Iterator: AsyncIteratorProtocol {
    let stream: ResultStream
    /// Waits for the next result; `nil` at the end, and when the task is cancelled.
    public func next() async -> RecognitionResult? { await stream.next() }
    /// Waits for the next result; `nil` at the end, and when the task is cancelled.
    public func next(isolation actor: isolated (any Actor)?) async -> RecognitionResult? { await stream.next() }
  }

  private func next() async -> RecognitionResult? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in perform { $0.receive(reader, isCancelled: Task.isCancelled) } }
    } onCancel: {
      perform { $0.dropReader() }
    }
  }

  /// Decides under the lock, resumes after it.
  private func perform(_ body: (inout State) -> [Resumption]) {
    for resumption in state.withLock({ body(&$0) }) { resumption.perform() }
  }
}

/// Who goes on, and with what.
private enum Resumption: Sendable {
  case reader(CheckedContinuation<RecognitionResult?, Never>, RecognitionResult?)
  case sender(CheckedContinuation<Void, Never>)

  func perform() {
    switch self {
    case .reader(let continuation, let result): continuation.resume(returning: result)
    case .sender(let continuation): continuation.resume()
    }
  }
}

/// The stream's state: at any time there are waiting results or a waiting reader, never both.
private struct State: Sendable {
  private var waiting: [RecognitionResult] = []
  private var senders: [(RecognitionResult, CheckedContinuation<Void, Never>)] = []
  private var reader: CheckedContinuation<RecognitionResult?, Never>?
  private var isFinished = false

  mutating func send(
    _ result: RecognitionResult, capacity: Int, sender: CheckedContinuation<Void, Never>
  ) -> [Resumption] {
    guard !isFinished else { return [.sender(sender)] }
    if let reader = take(&reader) { return [.reader(reader, result), .sender(sender)] }
    if merge(result) { return [.sender(sender)] }
    guard waiting.count < capacity else {
      senders.append((result, sender))
      return []
    }
    waiting.append(result)
    return [.sender(sender)]
  }

  mutating func receive(
    _ newReader: CheckedContinuation<RecognitionResult?, Never>, isCancelled: Bool
  ) -> [Resumption] {
    guard !isCancelled else { return [.reader(newReader, nil)] }
    if waiting.isEmpty {
      guard !isFinished else { return [.reader(newReader, nil)] }
      let old = take(&reader)
      reader = newReader
      return old.map { [.reader($0, nil)] } ?? []
    }
    let result = waiting.removeFirst()
    guard !senders.isEmpty else { return [.reader(newReader, result)] }
    let (held, sender) = senders.removeFirst()
    waiting.append(held)
    return [.reader(newReader, result), .sender(sender)]
  }

  mutating func dropReader() -> [Resumption] {
    take(&reader).map { [.reader($0, nil)] } ?? []
  }

  mutating func finish() -> [Resumption] {
    isFinished = true
    let released = senders.map { Resumption.sender($0.1) }
    waiting += senders.map(\.0)
    senders = []
    return released + dropReader()
  }

  mutating func cancel() -> [Resumption] {
    let released = finish()
    waiting = []
    return released
  }

  /// Puts a newer text in the place of a waiting unfinished one of the same sentence.
  private mutating func merge(_ result: RecognitionResult) -> Bool {
    guard senders.isEmpty, case .transcript(let newer) = result, !newer.isSentenceFinal,
      case .transcript(let older) = waiting.last, !older.isSentenceFinal,
      older.sentenceIndex == newer.sentenceIndex
    else { return false }
    waiting[waiting.count - 1] = result
    return true
  }
}

private func take<T>(_ value: inout T?) -> T? {
  defer { value = nil }
  return value
}
