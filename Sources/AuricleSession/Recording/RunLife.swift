import AuricleConsent
import AuricleRecognition

/// What a session has to do with the run of its recording; a run without a session has an empty one.
struct RunLife: Sendable {
  /// Says when something is told.
  let moment: @Sendable () -> SessionEvent.Moment
  /// Events that were delivered before the run, to be noted in front of all others.
  var opening: [SessionEvent] = []
  /// What happens to what was recorded when consent is withdrawn.
  var onWithdrawal = WithdrawalPolicy.keep
  /// Whether the end of the session is told as an event.
  var tellsEnd = false
  /// Told when no more audio is taken, before the file is closed; comes back when everything about it has been told.
  var onEnd: @Sendable (PumpEnd) async -> Void = { _ in }
  /// Told when the file is closed; gives the reason that counts.
  var onClosed: @Sendable (PumpEnd) -> StopReason = { $0.reason }
  /// Says whether somebody beside the recogniser reads what is written.
  var isRead: @Sendable () -> Bool = { false }
}

extension RunLife {
  /// A life that begins now.
  init<C: Clock>(from clock: C, wallClock: @escaping @Sendable () -> Timestamp) where C.Duration == Duration {
    self.init(elapsed: Self.stopwatch(clock), wallClock: wallClock)
  }

  /// A life that began a while ago.
  init(elapsed: @escaping @Sendable () -> Duration, wallClock: @escaping @Sendable () -> Timestamp) {
    self.init(moment: {
      SessionEvent.Moment(
        millisecondsSince1970: wallClock().millisecondsSince1970, sessionSeconds: elapsed() / .seconds(1))
    })
  }

  /// What tells how long ago now is.
  static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
