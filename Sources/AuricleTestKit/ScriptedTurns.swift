import AuricleRecognition

/// What one session of a scripted recogniser does that hears words.
public enum ScriptedTurn: Sendable {
  /// It hears them all.
  case works
  /// It does not start.
  case failsToStart(RecognitionError.Kind)
  /// Its start does not come back before the task is cancelled.
  case hangsAtStart
  /// Its start waits for a gate, whatever is cancelled.
  case startsBehind(ScriptGate)
  /// It hears so many frames of sound, tells of a failure, and ends.
  case dies(RecognitionError.Kind, after: Int64)
  /// It hears so many frames of sound, and ends without a word.
  case ends(after: Int64)
  /// It hears so many frames of sound, and refuses the next.
  case refuses(RecognitionError.Kind, after: Int64)
  /// It hears so many frames of sound, and then waits for a gate or for its end.
  case waits(ScriptGate, after: Int64)
  /// One of its calls does not come back before a gate is open, whatever is cancelled.
  case hangs(ScriptedCall, ScriptGate)
  /// It hears so many frames of sound, and then talks nonsense.
  case talksNonsense(after: Int64)
  /// Something happens before it takes a chunk.
  case isSlow(@Sendable () async -> Void)

  /// After how many frames of sound something happens.
  var frameCount: Int64? {
    switch self {
    case .works, .failsToStart, .hangsAtStart, .startsBehind, .isSlow: nil
    case .hangs(.accept(let after), _): after
    case .hangs: nil
    case .dies(_, let after), .ends(let after), .refuses(_, let after), .waits(_, let after), .talksNonsense(let after):
      after
    }
  }
}

/// A call of a session that may hang.
public enum ScriptedCall: Sendable, Hashable {
  /// That for the audio behind so many frames.
  case accept(after: Int64)
  /// That which says that nothing follows.
  case finish
  /// That which gives the session up; it has heard everything then.
  case cancel
}

/// What the sessions of a scripted recogniser do, one after the other; when all was done, they work.
public final class ScriptedTurns: Sendable {
  private struct State {
    var turns: ArraySlice<ScriptedTurn>
    var startCount = 0
    var watchers: [Int: [CheckedContinuation<Void, Never>]] = [:]
  }

  private let state: Guarded<State>

  /// Creates a script.
  public init(_ turns: [ScriptedTurn] = []) { state = Guarded(State(turns: turns[...])) }

  /// How often a session was asked for.
  public var startCount: Int { state.withLock { $0.startCount } }

  /// Waits until a session was asked for so often.
  public func waitForStart(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.startCount < count else { return true }
        state.watchers[count, default: []].append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Takes the turn of the next session.
  func next() -> ScriptedTurn {
    let (turn, watchers) = state.withLock { state in
      state.startCount += 1
      return (state.turns.popFirst() ?? .works, state.watchers.removeValue(forKey: state.startCount) ?? [])
    }
    for watcher in watchers { watcher.resume() }
    return turn
  }
}
