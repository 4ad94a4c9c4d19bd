/// The place for the one session that a layer has at a time: a value that knows no session, clock or thread.
///
/// Each start is an attempt with a number of its own, which only grows; what comes late from one attempt does nothing to the
/// next.
package struct SessionSlot: Sendable, Hashable {
  /// What happens in it.
  package enum Phase: Sendable, Hashable, CaseIterable {
    /// Nothing. Legal: begin.
    case free
    /// Somebody is asked for consent. Legal: open, stop, leave.
    case asking
    /// A session is made and started. Legal: run, stop, leave.
    case starting
    /// The session runs. Legal: stop, endAudio, leave.
    case running
    /// Somebody wants an end, or the audio has ended; the last results are waited for. Legal: leave.
    case ending
  }

  /// What a stop asks for.
  package enum Stop: Sendable, Hashable {
    /// Nothing: there is none, or it was stopped before.
    case nothing
    /// Do not ask any longer; the start fails.
    case withdrawQuestion
    /// Stop the session.
    case stopSession
  }

  /// What happens in it now.
  package private(set) var phase = Phase.free
  /// The latest attempt; 0 before the first one.
  package private(set) var attempt = 0

  /// Begins free.
  package init() {}

  /// Takes the place.
  /// - Returns: The attempt's number; `nil` when the place is taken.
  package mutating func begin() -> Int? {
    guard phase == .free else { return nil }
    attempt += 1
    phase = .asking
    return attempt
  }

  /// Everyone agreed.
  /// - Returns: Whether a session is to be started: nobody wanted an end in between.
  package mutating func open(_ attempt: Int) -> Bool {
    guard attempt == self.attempt, phase == .asking else { return false }
    phase = .starting
    return true
  }

  /// The session started.
  /// - Returns: Whether nobody wanted an end in between; else it is to be stopped now.
  package mutating func run(_ attempt: Int) -> Bool {
    guard attempt == self.attempt, phase == .starting else { return false }
    phase = .running
    return true
  }

  /// Somebody wants an end; harmless when repeated.
  package mutating func stop() -> Stop {
    switch phase {
    case .free, .ending: return .nothing
    case .asking:
      phase = .ending
      return .withdrawQuestion
    case .starting, .running:
      phase = .ending
      return .stopSession
    }
  }

  /// The audio has ended.
  /// - Returns: Whether it did so by itself.
  package mutating func endAudio(_ attempt: Int) -> Bool {
    guard attempt == self.attempt, phase == .running else { return false }
    phase = .ending
    return true
  }

  /// The attempt is over: failed, or its report is there.
  package mutating func leave(_ attempt: Int) {
    if attempt == self.attempt { phase = .free }
  }
}
