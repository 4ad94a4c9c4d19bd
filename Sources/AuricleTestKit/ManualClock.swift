import AuricleRecognition
/// A clock that stands still until a test moves it.
public final class ManualClock: Clock, Sendable {
  /// A point of the clock's time.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let offset: Duration
    /// Moves on.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Measures.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Orders by time.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let state = Guarded(ManualClockState())

  /// Creates a clock at zero.
  public init() {}

  /// Where the clock stands.
  public var now: Instant { state.withLock { $0.now } }
  /// The finest step.
  public var minimumResolution: Duration { .nanoseconds(1) }
  /// How many tasks sleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }
  /// When the first sleeper is due; `nil` when nobody sleeps.
  public var nextDeadline: Instant? { state.withLock { $0.sleepers.map(\.deadline).min() } }

  /// Waits until somebody moves the clock that far.
  /// - Throws: `CancellationError`, as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { $0.newID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        perform { $0.sleep(ManualClockSleeper(id: id, deadline: deadline, continuation: continuation)) }
      }
    } onCancel: {
      perform { $0.cancel(id) }
    }
  }

  /// Moves the clock, and wakes whoever is due.
  public func advance(by duration: Duration) {
    perform { $0.advance(to: $0.now.advanced(by: duration)) }
  }

  /// Waits until that many tasks sleep.
  public func waitForSleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      perform { $0.watch(count, continuation) }
    }
  }

  private func perform(_ body: (inout ManualClockState) -> [ManualClockWakeUp]) {
    for wakeUp in state.withLock({ body(&$0) }) { wakeUp.perform() }
  }
}

/// A task that sleeps.
private struct ManualClockSleeper: Sendable {
  let id: Int
  let deadline: ManualClock.Instant
  let continuation: CheckedContinuation<Void, any Error>
}

/// Who goes on once the lock is released.
private enum ManualClockWakeUp: Sendable {
  case sleeper(CheckedContinuation<Void, any Error>)
  case cancelled(CheckedContinuation<Void, any Error>)
  case watcher(CheckedContinuation<Void, Never>)

  func perform() {
    switch self {
    case .sleeper(let continuation): continuation.resume()
    case .cancelled(let continuation): continuation.resume(throwing: CancellationError())
    case .watcher(let continuation): continuation.resume()
    }
  }
}

private struct ManualClockState: Sendable {
  var now = ManualClock.Instant(offset: .zero)
  var sleepers: [ManualClockSleeper] = []
  private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  /// Cancelled before they fell asleep.
  private var cancelled: Set<Int> = []
  private var latestID = 0

  mutating func newID() -> Int {
    latestID += 1
    return latestID
  }

  mutating func sleep(_ sleeper: ManualClockSleeper) -> [ManualClockWakeUp] {
    if cancelled.remove(sleeper.id) != nil { return [.cancelled(sleeper.continuation)] }
    if sleeper.deadline <= now { return [.sleeper(sleeper.continuation)] }
    sleepers.append(sleeper)
    return satisfiedWatchers()
  }

  mutating func cancel(_ id: Int) -> [ManualClockWakeUp] {
    guard let index = sleepers.firstIndex(where: { $0.id == id }) else {
      cancelled.insert(id)
      return []
    }
    return [.cancelled(sleepers.remove(at: index).continuation)]
  }

  mutating func advance(to instant: ManualClock.Instant) -> [ManualClockWakeUp] {
    now = instant
    let due = sleepers.filter { $0.deadline <= now }.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    sleepers.removeAll { $0.deadline <= now }
    return due.map { .sleeper($0.continuation) }
  }

  mutating func watch(_ count: Int, _ continuation: CheckedContinuation<Void, Never>) -> [ManualClockWakeUp] {
    watchers.append((count, continuation))
    return satisfiedWatchers()
  }

  private mutating func satisfiedWatchers() -> [ManualClockWakeUp] {
    let satisfied = watchers.filter { $0.count <= sleepers.count }
    watchers.removeAll { $0.count <= sleepers.count }
    return satisfied.map { .watcher($0.continuation) }
  }
}
