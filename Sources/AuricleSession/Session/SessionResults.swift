/// Everything that a session delivers, in one ordered stream.
///
/// The rule for slow readers: the session never waits for its reader. Of a recording's statuses only the newest waits, and of
/// an unfinished sentence only its newest text, which gives way to the final one. Nothing else is ever dropped; what waits is
/// part of the report as well, and never grows beyond it.
///
/// A session that started delivers the finish as the last result, exactly once. One that failed to start delivers that as
/// an event, and ends without a finish.
///
/// There is one reader at a time: while it waits, a second one that asks takes its place and ends it. A reader that goes away
/// or is cancelled costs the session nothing, and another one may go on where it was. Whoever reads, or holds the
/// stream, holds the session.
public struct SessionResults: AsyncSequence, Sendable {
  /// What is delivered.
  public typealias Element = SessionDelivery

  let session: RecordingSession

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

  /// Reads the stream.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let session: RecordingSession
    /// Waits for the next result; `nil` at the end, and when the task is cancelled.
    public func next() async -> SessionDelivery? { await session.core.results.next() }
    /// Waits for the next result; `nil` at the end, and when the task is cancelled.
    public func next(isolation actor: isolated (any Actor)?) async -> SessionDelivery? {
      await session.core.results.next()
    }
  }
}
