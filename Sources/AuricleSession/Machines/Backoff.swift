/// How long to wait before the next attempt: twice as long each time, with chance in it so that many do not come back at
/// once. A value; chance comes from outside.
public struct Backoff: Sendable, Hashable {
  /// The first wait, without chance.
  public let first: Duration
  /// The longest wait, without chance.
  public let longest: Duration
  /// The most attempts; `nil` for no end.
  public let maximumAttemptCount: Int?
  /// How many waits were begun since the last success.
  public private(set) var attemptCount = 0

  /// Creates one that has not waited.
  /// - Parameters:
  ///   - first: The first wait, above zero.
  ///   - longest: The longest wait.
  ///   - maximumAttemptCount: The most attempts; `nil` for no end.
  public init(
    first: Duration = .milliseconds(500), longest: Duration = .seconds(30), maximumAttemptCount: Int? = nil
  ) {
    precondition(first > .zero && longest >= first, "a wait is above zero")
    self.first = first
    self.longest = longest
    self.maximumAttemptCount = maximumAttemptCount
  }

  /// Begins a wait.
  /// - Parameter chance: 0..<1; the wait is between a half and the whole of its length.
  /// - Returns: How long; `nil` when there were enough.
  public mutating func next(chance: Double) -> Duration? {
    if let maximumAttemptCount, attemptCount >= maximumAttemptCount { return nil }
    var wait = first
    for _ in 0..<min(attemptCount, 62) where wait < longest { wait = min(wait * 2, longest) }
    attemptCount += 1
    return wait * (0.5 + 0.5 * min(max(chance, 0), 1))
  }

  /// Something worked: the next wait is the first again.
  public mutating func reset() { attemptCount = 0 }
}
