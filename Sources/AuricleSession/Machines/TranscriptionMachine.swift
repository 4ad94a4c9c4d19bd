/// The life of a transcription beside the recording: losing it never stops the recording.
///
/// A value that knows no clock, provider or file. A wait is an action with a number; the end of one that is no longer the
/// latest does nothing.
public struct TranscriptionMachine: Sendable, Hashable {
  /// What the transcription does.
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// Something is missing before it can begin. Legal: ready, lost, close.
    case waiting
    /// A session with the provider is being opened. Legal: opened, failed, lost, replaced, close.
    case starting
    /// The provider listens. Legal: progressed, failed, lost, replaced, finished, close.
    case recognising
    /// It failed, and is tried again after a while. Legal: waited, ready, lost, replaced, close.
    case backingOff
    /// Only a person can mend it, or it was tried often enough. Legal: ready, replaced, close.
    case blocked
    /// It is over. Nothing is legal any more.
    case closed
  }

  /// Why it does not recognise.
  public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
    /// It does, or it is over.
    case none
    /// The provider is not there yet.
    case preparing
    /// There is no network, and the provider needs one.
    case offline
    /// Somebody has to authorise it.
    case authorizationPending
    /// The provider has too much to do.
    case busy
    /// It failed in a way that may pass.
    case transientFailure
    /// It failed too often.
    case retriesExhausted
    /// It failed in a way that does not pass.
    case fatal
  }

  /// What happens to it.
  public enum Input: Sendable, Hashable {
    /// Everything that it needs is there: at first, when the network is back, when it was authorised.
    case ready
    /// A session is open.
    case opened
    /// The provider brought a final sentence: what it does works.
    case progressed
    /// It failed, for a reason, and whether it may pass.
    case failed(Reason, mayPass: Bool)
    /// What it needs is gone, for a reason.
    case lost(Reason)
    /// Another provider has its place.
    case replaced
    /// The wait with that number is over.
    case waited(Int)
    /// The provider brought everything.
    case finished
    /// The recording is over and nobody waits for more.
    case close
  }

  /// What is to be done.
  public enum Action: Sendable, Hashable {
    /// Open a session that hears everything since the last final sentence.
    case open
    /// Give up the session that is open or being opened.
    case cancel
    /// Wait that long, then say ``Input/waited(_:)`` with the number.
    case wait(Int, Duration)
    /// Tell why it does not recognise, or that it does.
    case tell(Reason)
  }

  /// What it does now.
  public private(set) var state = State.waiting
  /// Why it does not recognise.
  public private(set) var reason = Reason.preparing
  private var backoff: Backoff
  private var waitNumber = 0

  /// Begins by waiting for what it needs.
  public init(backoff: Backoff = Backoff()) { self.backoff = backoff }

  /// Handles an input; what is late or repeated does nothing.
  /// - Parameters:
  ///   - input: What happened.
  ///   - chance: 0..<1, for the length of a wait.
  /// - Returns: What is to be done, in this order.
  public mutating func handle(_ input: Input, chance: Double = 0.5) -> [Action] {
    switch state {
    case .waiting: whileWaiting(input)
    case .starting: whileStarting(input, chance)
    case .recognising: whileRecognising(input, chance)
    case .backingOff: whileBackingOff(input)
    case .blocked: whileBlocked(input)
    case .closed: []
    }
  }

  private mutating func whileWaiting(_ input: Input) -> [Action] {
    switch input {
    case .ready, .replaced: open()
    case .lost(let reason): wait(for: reason)
    case .close, .finished: close()
    case .failed(let reason, _): block(reason)
    case .opened, .progressed, .waited: []
    }
  }

  private mutating func whileStarting(_ input: Input, _ chance: Double) -> [Action] {
    switch input {
    case .opened:
      state = .recognising
      return change(.none)
    case .failed(let reason, let mayPass): return fail(reason, mayPass, chance)
    case .lost(let reason): return [.cancel] + wait(for: reason)
    case .replaced: return [.cancel] + open()
    case .close, .finished: return [.cancel] + close()
    case .ready, .progressed, .waited: return []
    }
  }

  private mutating func whileRecognising(_ input: Input, _ chance: Double) -> [Action] {
    switch input {
    case .progressed:
      backoff.reset()
      return []
    case .failed(let reason, let mayPass): return fail(reason, mayPass, chance)
    case .lost(let reason): return [.cancel] + wait(for: reason)
    case .replaced: return [.cancel] + open()
    case .finished: return close()
    case .close: return [.cancel] + close()
    case .ready, .opened, .waited: return []
    }
  }

  private mutating func whileBackingOff(_ input: Input) -> [Action] {
    switch input {
    case .waited(let number): number == waitNumber ? open() : []
    case .ready, .replaced: open()
    case .lost(let reason): wait(for: reason)
    case .close, .finished: close()
    case .opened, .progressed, .failed: []
    }
  }

  private mutating func whileBlocked(_ input: Input) -> [Action] {
    switch input {
    case .ready, .replaced:
      backoff.reset()
      return open()
    case .close, .finished: return close()
    case .opened, .progressed, .failed, .lost, .waited: return []
    }
  }

  private mutating func open() -> [Action] {
    state = .starting
    waitNumber += 1
    return [.open]
  }

  private mutating func wait(for reason: Reason) -> [Action] {
    state = .waiting
    waitNumber += 1
    return change(reason)
  }

  private mutating func fail(_ reason: Reason, _ mayPass: Bool, _ chance: Double) -> [Action] {
    guard mayPass else { return block(reason) }
    guard let duration = backoff.next(chance: chance) else { return block(.retriesExhausted) }
    state = .backingOff
    waitNumber += 1
    return change(reason) + [.wait(waitNumber, duration)]
  }

  private mutating func block(_ reason: Reason) -> [Action] {
    state = .blocked
    waitNumber += 1
    return change(reason)
  }

  private mutating func close() -> [Action] {
    state = .closed
    reason = .none
    return []
  }

  private mutating func change(_ reason: Reason) -> [Action] {
    guard reason != self.reason else { return [] }
    self.reason = reason
    return [.tell(reason)]
  }
}
