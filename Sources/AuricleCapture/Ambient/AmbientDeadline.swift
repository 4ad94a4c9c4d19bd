import Foundation

/// The moment at which a session ends, fixed when it is made.
final class AmbientDeadline: Sendable {
  private let remaining: @Sendable () -> Duration
  private let sleep: @Sendable () async throws -> Void
  private let timer = AmbientTimer()

  init(after duration: Duration, clock: some Clock<Duration>) {
    let end = clock.now.advanced(by: duration)
    remaining = { clock.now.duration(to: end) }
    sleep = { try await clock.sleep(until: end, tolerance: nil) }
  }

  var hasPassed: Bool { remaining() <= .zero }

  /// Calls back at the deadline, unless it is cancelled before.
  func watch(_ body: @escaping @Sendable () -> Void) {
    // Owned by the capture, whose end cancels it.
    timer.set(
      Task { [sleep] in
        guard (try? await sleep()) != nil else { return }
        body()
      })
  }

  func cancel() { timer.cancel() }
}

/// A task that is set once and cancelled from anywhere.
private final class AmbientTimer: @unchecked Sendable {
  // The rule that makes it safe: the task is touched only while the lock is held.
  private let lock = NSLock()
  private var task: Task<Void, Never>?

  func set(_ task: Task<Void, Never>) { lock.withLock { self.task = task } }
  func cancel() { lock.withLock { task?.cancel() } }
}
