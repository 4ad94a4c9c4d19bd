/// An ordered, bounded stream of results from one recogniser to one reader.
///
/// The rule for slow readers: a text of an unfinished sentence that waits is replaced by a newer one of the same sentence;
/// nothing else is ever dropped. When ``capacity`` results wait, the recogniser waits for the reader.
public final class ResultStream: AsyncSequence, Sendable {
  /// What the stream delivers.
  public typealias Element = RecognitionResult

  /// How many results may wait.
  public let capacity: Int
  private let state = Guarded(ResultStreamState())

  /// Creates an open, empty stream.
  public init(capacity: Int = 64) {
    precondition(capacity > 0, "a stream holds at least one result")
    self.capacity = capacity
  }

  /// Delivers a result. Waits while the stream is full; returns at once when it is closed.
  ///
  /// A cancelled task does not wait. Its result keeps its place all the same, beyond the capacity if need be.
  public func send(_ result: RecognitionResult) async {
    let id = state.withLock { $0.newID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let sender = ResultSender(id: id, result: result, continuation: continuation)
        perform { $0.send(sender, capacity: capacity, isCancelled: Task.isCancelled) }
      }
    } onCancel: {
      perform { $0.releaseSender(id) }
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

  /// Begins to read. There is one reader: while it waits, a second one that asks takes its place and ends it.
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
    let id = state.withLock { $0.newID() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        perform { $0.receive(ResultReader(id: id, continuation: continuation), isCancelled: Task.isCancelled) }
      }
    } onCancel: {
      perform { $0.dropReader(id) }
    }
  }

  /// Decides under the lock, resumes after it.
  private func perform(_ body: (inout ResultStreamState) -> [Resumption]) {
    for resumption in state.withLock({ body(&$0) }) { resumption.perform() }
  }
}
