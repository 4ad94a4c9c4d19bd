import AuricleRecognition

/// The place of the one recording that may be under way: for layers in which everybody starts and stops the same recording.
///
/// Each turn has a generation, which only grows: what comes late for one turn is told from what belongs to the next. The
/// place is free again as soon as a turn's audio is over, or its start has failed; its last results may still come then, and
/// they come from that turn's session.
public final class RecordingSlot: Sendable {
  /// One session in its turn.
  public struct Turn: Sendable {
    /// Counts the turns, from 1.
    public let generation: Int
    /// The session.
    public let session: RecordingSession
  }

  private struct State {
    var generation = 0
    var turn: Turn?
  }

  private let state = Guarded(State())

  /// Creates a place where nobody records.
  public init() {}

  /// Takes the place with a new session, which is not started yet.
  /// - Throws: ``SessionFailure`` of kind `busy`, while another one has it.
  public func take(
    _ configuration: SessionConfiguration, environment: SessionEnvironment
  ) throws(SessionFailure) -> Turn {
    let turn: Turn? = state.withLock { state in
      if let turn = state.turn, !turn.session.isAudioOver { return nil }
      state.generation += 1
      let session = RecordingSession(configuration, environment: environment)
      let turn = Turn(generation: state.generation, session: session)
      state.turn = turn
      return turn
    }
    guard let turn else {
      throw SessionFailure(RecognitionError(.busy, "another recording is under way; stop it before you start one"))
    }
    return turn
  }

  /// The turn that has the place; `nil` when it is free.
  public var current: Turn? {
    state.withLock { state in
      guard let turn = state.turn, !turn.session.isAudioOver else { return nil }
      return turn
    }
  }

  /// Whether no later turn has begun.
  public func isLatest(_ generation: Int) -> Bool { state.withLock { $0.generation == generation } }

  /// Lets go of a turn: one that was never started, or one that is over. A later one is left alone.
  public func release(_ generation: Int) {
    // What goes with the session may ask for the place: so it goes after the lock.
    let released: Turn? = state.withLock { state in
      guard let turn = state.turn, turn.generation == generation else { return nil }
      state.turn = nil
      return turn
    }
    _ = released
  }
}
