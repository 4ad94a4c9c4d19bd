/// The life of one normal recording that a device makes by itself, where nobody listens: a value that knows no clock, device
/// or thread.
///
/// Its end is told once, whatever the device says or leaves unsaid. A device that goes away goes on recording: when it is
/// back within the grace, so does this; behind that nobody can say how it ends, and it counts as disconnected.
struct DeviceRecordingLife: Sendable, Hashable {
  /// How it stands.
  enum State: Sendable, Hashable {
    /// Nobody has begun it. Legal: start.
    case idle
    /// The device was asked to begin. Legal: started, startFailed, stop, the device's troubles.
    case starting
    /// The device records. Legal: stop, the device's end and troubles.
    case running
    /// The device records, and is waited for. Legal: as ``running``, and the end of the wait.
    case away
    /// The device was asked to end. Legal: stopAnswered, the device's end and troubles, the end of the wait.
    case stopping
    /// It is over for good. Legal: the device's return, if it was left on.
    case over
  }

  /// What happens to it.
  enum Input: Sendable, Hashable {
    /// The program begins it.
    case start
    /// The device records.
    case started
    /// The device does not record; after an answer that did not come it may.
    case startFailed(DeviceError)
    /// The program ends it.
    case stop
    /// What the device answered to that; `nil` for a yes.
    case stopAnswered(DeviceError?)
    /// The device asks or tells something.
    case device(DeviceEvent)
    /// The wait with that number is over.
    case waited(Int)
  }

  /// What is waited for.
  enum Wait: Sendable, Hashable {
    /// A device that is away.
    case reconnection
    /// A device that said that it ends, and has not ended yet.
    case end
  }

  /// What is to be done.
  enum Action: Sendable, Hashable {
    /// Refuse what was just asked for, and nothing else happens.
    case refuse(DeviceError)
    /// Ask the device to begin.
    case startDevice
    /// Ask the device to end, then say ``Input/stopAnswered(_:)``.
    case stopDevice
    /// Tell that it runs: once, if ``tellStartFailed(_:)`` was not told.
    case tellStarted
    /// Tell that it does not run: once, if ``tellStarted`` was not told. Nothing follows then.
    case tellStartFailed(DeviceError)
    /// Wait as long as the policy has it, then say ``Input/waited(_:)`` with the number.
    case wait(Int, Wait)
    /// Tell its end: once, if it was told to have started.
    case finish(StopReason, DeviceError?)
  }

  private(set) var state = State.idle
  /// The latest wait.
  private var waitNumber = 0
  /// What the device said of its end before it answered that it had begun.
  private var early: StopReason?
  /// Whether the device may record on although it was to stop; it is stopped when it is back.
  private var isLeftOn = false

  /// Handles an input; what is late or repeated does nothing.
  /// - Returns: What is to be done, in this order.
  mutating func handle(_ input: Input) -> [Action] {
    switch input {
    case .start: start()
    case .started: started()
    case .startFailed(let error): startFailed(error)
    case .stop: stop()
    case .stopAnswered(let error): stopAnswered(error)
    case .device(let event): hear(event)
    case .waited(let number): waited(number)
    }
  }

  private mutating func start() -> [Action] {
    guard state == .idle else { return [.refuse(.isBusy)] }
    state = .starting
    return [.startDevice]
  }

  private mutating func started() -> [Action] {
    guard state == .starting else { return [] }
    state = .running
    return [.tellStarted] + (early.map { finish($0) } ?? [])
  }

  private mutating func startFailed(_ error: DeviceError) -> [Action] {
    guard state == .starting else { return [] }
    state = .over
    // A device that did not answer may record all the same.
    return [.tellStartFailed(error)] + (error.kind == .timedOut ? [.stopDevice] : [])
  }

  private mutating func stop() -> [Action] {
    switch state {
    case .starting:
      state = .over
      return [.tellStartFailed(.wasStopped), .stopDevice]
    case .running:
      state = .stopping
      return [.stopDevice]
    case .away:
      isLeftOn = true
      return finish(.userInitiated)
    case .idle, .stopping, .over: return []
    }
  }

  private mutating func stopAnswered(_ error: DeviceError?) -> [Action] {
    guard state == .stopping else { return [] }
    if let error { return fail(error.kind == .disconnected ? .disconnected : .deviceError, error) }
    waitNumber += 1
    return [.wait(waitNumber, .end)]
  }

  private mutating func hear(_ event: DeviceEvent) -> [Action] {
    switch event {
    case .recordingEnded(let reason): ended(reason)
    case .interrupted(let reason):
      fail(.interrupted, DeviceError(.interrupted, "the device was interrupted (\(reason.name)); start again later"))
    case .storageFull: fail(.storageFull, DeviceError(.storageFull, "the device's memory is full; empty it"))
    case .failed(let error): fail(.deviceError, error)
    case .disconnected: disconnected()
    case .reconnected: reconnected()
    case .startRequested, .stopRequested, .pauseRequested, .resumeRequested: []
    }
  }

  private mutating func ended(_ reason: StopReason) -> [Action] {
    switch state {
    case .starting:
      early = early ?? reason
      return []
    case .running, .away, .stopping: return finish(reason)
    case .idle, .over: return []
    }
  }

  private mutating func disconnected() -> [Action] {
    switch state {
    case .starting, .stopping: return fail(.disconnected, .isGone)
    case .running:
      state = .away
      waitNumber += 1
      return [.wait(waitNumber, .reconnection)]
    case .idle, .away, .over: return []
    }
  }

  private mutating func reconnected() -> [Action] {
    if state == .away {
      state = .running
      waitNumber += 1
    }
    guard isLeftOn else { return [] }
    isLeftOn = false
    return [.stopDevice]
  }

  private mutating func waited(_ number: Int) -> [Action] {
    guard number == waitNumber else { return [] }
    switch state {
    case .away: return fail(.disconnected, .isGone)
    case .stopping: return finish(.userInitiated)
    case .idle, .starting, .running, .over: return []
    }
  }

  /// The device cannot go on.
  private mutating func fail(_ reason: StopReason, _ error: DeviceError) -> [Action] {
    switch state {
    case .starting:
      isLeftOn = error.kind == .disconnected
      state = .over
      return [.tellStartFailed(error)]
    case .stopping:
      isLeftOn = error.kind == .disconnected
      return finish(reason, error)
    case .running, .away: return finish(reason, error)
    case .idle, .over: return []
    }
  }

  private mutating func finish(_ reason: StopReason, _ error: DeviceError? = nil) -> [Action] {
    state = .over
    waitNumber += 1
    return [.finish(reason, error)]
  }
}
