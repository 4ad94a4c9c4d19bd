import AuricleCapture

/// How a recording reaches its server, and what it measures time with.
struct PulseSetup: Sendable {
  /// The server's address; `nil` for the user's own.
  var server: String?
  /// How long each answer is waited for.
  var patience: Duration
  /// What becomes of a recording whose device goes away.
  var policy: CapturePolicy
  /// The time, and waiting.
  var time: PulseTime = .real
  /// Whether the server may move the stream to another device; some do although they are asked not to.
  var allowsMoves = false
}

/// Time that goes on evenly, also while the machine sleeps.
struct PulseTime: Sendable {
  /// The time since a fixed moment.
  let now: @Sendable () -> Duration
  /// Waits.
  let sleep: @Sendable (Duration) async throws -> Void

  /// Takes the time from a clock.
  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
  }

  static let real = PulseTime(ContinuousClock())
}
