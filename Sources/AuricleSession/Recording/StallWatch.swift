import AuricleAudio
import AuricleCapture
import AuricleRecognition

/// Waits for a source that has run to give nothing for too long: what is shown as recording has to be heard.
///
/// One side says what came, another one waits for the next stall.
struct StallWatch<C: Clock>: Sendable where C.Duration == Duration {
  private struct State: Sendable {
    /// When something came last; `nil` before anything did.
    var last: C.Instant?
    /// That nothing comes was told, and nothing has come since.
    var isTold = false
  }

  private let limit: Duration
  private let clock: C
  private let state = Guarded(State())
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  /// - Parameter limit: So long nothing is worth telling, above 0.
  init(limit: Duration, clock: C) {
    self.limit = limit
    self.clock = clock
    (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Sound or a gap came.
  /// - Returns: Whether that it did not come was told.
  func arrived() -> Bool {
    let now = clock.now
    let wasTold = state.withLock { state in
      defer { state = State(last: now) }
      return state.isTold
    }
    arrival.yield()
    return wasTold
  }

  /// Waits, and tells each stall once. One caller.
  /// - Parameters:
  ///   - mayBeQuiet: Whether nothing has to come, as in a pause; the time counts anew behind it.
  ///   - tell: Told for how long nothing has come.
  func run(mayBeQuiet: () -> Bool, tell: (Duration) -> Void) async {
    for await _ in arrivals {
      while let rest = rest(mayBeQuiet()) {
        guard (try? await clock.sleep(for: rest)) != nil else { return }
      }
      if let silence { tell(silence) }
    }
  }

  /// For how long nothing has come; `nil` when something just came, or when that was told: an arrival before it may only
  /// now be seen.
  private var silence: Duration? {
    let now = clock.now
    return state.withLock { state in
      guard !state.isTold, let silence = state.last?.duration(to: now), silence >= limit else { return nil }
      state.isTold = true
      return silence
    }
  }

  /// How long it still has for something to come; `nil` when that is over.
  private func rest(_ mayBeQuiet: Bool) -> Duration? {
    let now = clock.now
    return state.withLock { state in
      if mayBeQuiet { state.last = now }
      let rest = limit - (state.last?.duration(to: now) ?? .zero)
      return rest > .zero ? rest : nil
    }
  }
}
