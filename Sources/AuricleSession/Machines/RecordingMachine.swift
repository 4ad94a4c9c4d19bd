/// The states of a recording's audio: a value that knows no clock, device, file or thread.
///
/// Each start is an attempt with a generation of its own, which only grows. An input that carries an older generation
/// changes nothing: what comes late from one recording never touches the next.
public struct RecordingMachine: Sendable, Hashable {
  /// What the recording does. The names are TSAIKit's, and `paused` is ours.
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nobody knows yet: a device was not asked. Legal: start.
    case unknown
    /// Nothing is recorded. Legal: start.
    case idle
    /// The source is being opened. Legal: started, startFailed, stop, interrupt, fail, end.
    case starting
    /// Audio is taken. Legal: pause, stop, interrupt, fail, end.
    case recording
    /// Nothing is taken until it is resumed. Legal: resume, stop, interrupt, fail, end.
    case paused
    /// The source is being closed. Legal: closed, and interrupt, fail and end, which change nothing any more.
    case stopping
    /// The source was taken away, and is being closed. Legal: closed.
    case interrupted
  }

  /// What happens to it.
  public enum Input: Sendable, Hashable {
    /// Somebody wants to record.
    case start
    /// The source is open.
    case started
    /// The source could not be opened.
    case startFailed
    /// Somebody wants a break.
    case pause
    /// The break is over.
    case resume
    /// Somebody wants an end.
    case stop(StopReason)
    /// The source was taken away.
    case interrupt
    /// The source failed, for a reason.
    case fail(StopReason)
    /// The source came to its end by itself.
    case end(StopReason)
    /// The source is closed, and everything of it is written.
    case closed
  }

  /// What is to be done.
  public enum Action: Sendable, Hashable {
    /// Open the source.
    case open(generation: Int)
    /// Tell that it started: once for an attempt, if ``tellStartFailed`` was not told.
    case tellStarted
    /// Tell that it did not start: once for an attempt, if ``tellStarted`` was not told.
    case tellStartFailed
    /// Take nothing until it is resumed.
    case hold
    /// Take audio again.
    case release
    /// Close the source, and write what was heard.
    case close(generation: Int)
    /// Tell that the audio has ended: once for an attempt that started.
    case tellEnded(StopReason)
  }

  /// What it does now.
  public private(set) var state: State
  /// The latest attempt; 0 before the first one.
  public private(set) var generation = 0
  /// Whether the attempt was told to have started.
  private var isStarted = false
  /// Why the attempt ends; `nil` while it does not.
  private var reason: StopReason?

  /// Begins without an attempt.
  /// - Parameter state: `idle` or `unknown`.
  public init(state: State = .idle) {
    precondition(state == .idle || state == .unknown, "nothing is recorded at first")
    self.state = state
  }

  /// Whether an attempt is under way.
  public var isActive: Bool {
    switch state {
    case .unknown, .idle: false
    case .starting, .recording, .paused, .stopping, .interrupted: true
    }
  }

  /// Handles an input of the latest attempt. What is late or repeated does nothing.
  public mutating func handle(_ input: Input) -> [Action] { handle(input, generation: generation) }

  /// Handles an input.
  /// - Parameters:
  ///   - input: What happened.
  ///   - inputGeneration: The attempt that it belongs to; that of a start does not matter.
  /// - Returns: What is to be done, in this order.
  public mutating func handle(_ input: Input, generation inputGeneration: Int) -> [Action] {
    if case .start = input { return isActive ? [] : begin() }
    guard inputGeneration == generation else { return [] }
    return switch state {
    case .unknown, .idle: []
    case .starting: whileStarting(input)
    case .recording: whileRecording(input)
    case .paused: whilePaused(input)
    case .stopping, .interrupted: input == .closed ? conclude() : []
    }
  }

  private mutating func whileStarting(_ input: Input) -> [Action] {
    switch input {
    case .started:
      state = .recording
      isStarted = true
      return [.tellStarted]
    case .startFailed:
      state = .idle
      return [.tellStartFailed]
    case .stop, .fail, .end, .interrupt: return leave(input)
    case .start, .pause, .resume, .closed: return []
    }
  }

  private mutating func whileRecording(_ input: Input) -> [Action] {
    switch input {
    case .pause:
      state = .paused
      return [.hold]
    case .stop, .fail, .end, .interrupt: return leave(input)
    case .start, .started, .startFailed, .resume, .closed: return []
    }
  }

  private mutating func whilePaused(_ input: Input) -> [Action] {
    switch input {
    case .resume:
      state = .recording
      return [.release]
    case .stop, .fail, .end, .interrupt: return leave(input)
    case .start, .started, .startFailed, .pause, .closed: return []
    }
  }

  private mutating func begin() -> [Action] {
    generation += 1
    state = .starting
    isStarted = false
    reason = nil
    return [.open(generation: generation)]
  }

  /// An attempt that ends before it started did not start.
  private mutating func leave(_ input: Input) -> [Action] {
    switch input {
    case .stop(let reason), .fail(let reason), .end(let reason): (state, self.reason) = (.stopping, reason)
    case .interrupt: (state, reason) = (.interrupted, .interrupted)
    case .start, .started, .startFailed, .pause, .resume, .closed: preconditionFailure("\(input) ends nothing")
    }
    return isStarted ? [.close(generation: generation)] : [.tellStartFailed, .close(generation: generation)]
  }

  private mutating func conclude() -> [Action] {
    state = .idle
    guard isStarted, let reason else { return [] }
    return [.tellEnded(reason)]
  }
}
