/// The life of a recording that a device is part of, whoever began it: a value that knows no clock, device, session or
/// thread.
///
/// - The program begins: the session starts, is kept, and then the device starts. Fails the device, the session ends.
/// - The device asks: whether it may is checked first; then the program is asked; it begins, as above; and when both sides
///   run the device is told so, once.
/// - Somebody stops: the device first, then the session is let go, then it ends. When it is over, that is told, once.
/// - The device cannot go on: the session ends at once with the reason.
///
/// One recording at a time: whoever comes first has it. Each attempt has a generation, and what comes late from an older
/// one changes nothing. A wait is an action with a number; the end of one that is no longer waited for does nothing.
public struct DeviceLifecycle: Sendable, Hashable {
  /// How it stands.
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing is recorded. Legal: start, and the device's request.
    case idle
    /// The device asks for a recording, and whether it may is being found out. Legal: checked, start, and the end of the wait.
    case checking
    /// It may, and the program was asked. Legal: start, stop, and the end of the wait.
    case offered
    /// The session is being started. Legal: sessionStarted, sessionStartFailed, stop, the device's troubles.
    case startingSession
    /// The session runs, and the device is being started. Legal: deviceStarted, deviceStartFailed, stop, sessionEnded, the
    /// device's troubles.
    case startingDevice
    /// Both run. Legal: pause, stop, sessionEnded, the device's wishes and troubles.
    case running
    /// Both run, and nothing is taken. Legal: as ``running``, with resume for pause.
    case paused
    /// The session runs, and the device is waited for. Legal: as ``running``, and the end of the wait.
    case away
    /// The device is being stopped; the session still takes what it sends. Legal: deviceStopped, sessionEnded.
    case stoppingDevice
    /// The session was told to end, and is waited for; so is the device, if it could not be stopped first. Legal:
    /// sessionEnded, sessionFinished, sessionStartFailed, deviceStopped.
    case stoppingSession
    /// It is over for good. Nothing is legal any more.
    case closed
  }

  /// Who does what the device asks for, and who reports to it.
  public enum Handling: Sendable, Hashable {
    /// Stops, pauses and reports happen by themselves; the program only begins recordings.
    case automatic
    /// The program does it all, when it is asked.
    case byProgram
  }

  /// What happens to it. What follows from an action comes with the generation of that action.
  public enum Input: Sendable, Hashable {
    /// The program begins a recording: for a request of the device, if it names one.
    case start(SessionConfiguration.Scene, requestID: String?)
    /// The program ends it.
    case stop
    /// The program wants a break.
    case pause
    /// The break is over.
    case resume
    /// The program reports that the recording runs.
    case reportStarted(SessionConfiguration.Scene)
    /// The program reports that the recording has stopped.
    case reportStopped
    /// Nobody wants any more.
    case close
    /// The device asks or tells something.
    case device(DeviceEvent)
    /// Whether a request may be offered.
    case checked(requestID: String, isEligible: Bool)
    /// The session runs.
    case sessionStarted
    /// The session did not come to run; nothing of it follows.
    case sessionStartFailed(SessionFailure)
    /// The session's audio has ended.
    case sessionEnded(StopReason)
    /// The session has delivered everything.
    case sessionFinished
    /// The device sends audio.
    case deviceStarted
    /// The device does not send audio; after an answer that did not come it may.
    case deviceStartFailed(DeviceError)
    /// The device does not send any more, or gave no answer.
    case deviceStopped
    /// The wait with that number is over.
    case waited(Int)
  }

  /// What is waited for.
  public enum Wait: Sendable, Hashable {
    /// The answer to a request.
    case request
    /// A device that is away.
    case reconnection
  }

  /// What is to be done.
  public enum Action: Sendable, Hashable {
    /// Find out whether a request may be offered, then say ``Input/checked(requestID:isEligible:)``.
    case check(DeviceStartRequest)
    /// Ask the program to begin a recording.
    case offer(DeviceStartRequest)
    /// Tell that a request that was offered is not to be answered any more.
    case withdraw(DeviceStartRequest)
    /// Refuse what was just asked for, and nothing else happens.
    case refuse(DeviceError)
    /// Start the session.
    case startSession
    /// Keep the session: it runs.
    case keepSession
    /// Start the device.
    case startDevice(SessionConfiguration.Scene)
    /// Tell that both sides run: once for an attempt, if ``tellStartFailed(_:)`` was not told.
    case tellStarted
    /// Tell that it did not start: once for an attempt, if ``tellStarted`` was not told.
    case tellStartFailed(SessionFailure)
    /// Let the device send nothing.
    case pauseDevice
    /// Let the device send again.
    case resumeDevice
    /// Let the session take nothing.
    case pauseSession
    /// Let the session take audio again.
    case resumeSession
    /// Stop the device, then say ``Input/deviceStopped`` whatever came of it.
    case stopDevice(SessionConfiguration.Scene)
    /// Keep the session no longer.
    case letSessionGo
    /// End the session's audio.
    case endSession(StopReason, SessionFailure?)
    /// End the session's audio, since it was cut off.
    case interruptSession(InterruptionReason)
    /// Tell the device that the recording runs: once for a session that it asked for.
    case reportStarted(SessionConfiguration.Scene)
    /// Tell the device that the recording has stopped: once for a session that it asked for.
    case reportStopped
    /// Note in the session that the device went away.
    case noteLoss
    /// Tell that the device wants an end.
    case tellStopRequest
    /// Tell that the device wants a break.
    case tellPauseRequest
    /// Tell that the device wants the break to end.
    case tellResumeRequest
    /// Tell what the device was cut off by.
    case tellInterrupted(InterruptionReason)
    /// Wait as long as the policy has it, then say ``Input/waited(_:)`` with the number.
    case wait(Int, Wait)
    /// Nothing of the session follows any more: tell the end of one that was told to have started, with its reason.
    case finish(StopReason?)
    /// Let everything go.
    case close
  }

  /// Where an attempt stands; pauses and absences are beside it.
  enum Phase: Sendable, Hashable {
    case idle, checking, offered, startingSession, startingDevice, active, stoppingDevice, stoppingSession, closed
  }

  /// How a report to the device stands.
  enum Report: Sendable, Hashable {
    /// Not yet; may be made; was made; was not made before the device went away.
    case notDue, due, done, lapsed
  }

  /// Who does what the device asks for.
  public let handling: Handling
  /// The latest attempt; 0 before the first one.
  public internal(set) var generation = 0
  /// What the device asks for, or what the session answers.
  public internal(set) var request: DeviceStartRequest?
  /// The scene of the latest attempt.
  public internal(set) var scene = SessionConfiguration.Scene.onSite

  let canPause: Bool
  var phase = Phase.idle
  var isPaused = false
  /// Whether the device was told to pause.
  var isDevicePaused = false
  /// Whether the device was told to start.
  var isDeviceTold = false
  /// Whether the device went away without having been stopped; it is when it is back.
  var isLeftOn = false
  /// Whether the device is gone; also between sessions.
  var isAway = false
  /// Whether the program was told that the attempt started.
  var isToldStarted = false
  /// Why it ends; the first reason stays.
  var reason: StopReason?
  /// Whether the device was told to stop, and did not answer yet.
  var isDeviceStopping = false
  /// Whether the session's audio has ended.
  var isAudioOver = false
  /// Whether nothing of the session follows.
  var isSessionOver = false
  var isClosing = false
  var startReport = Report.notDue
  var stopReport = Report.notDue
  /// Whether the device asked for the latest attempt.
  var isAsked = false
  /// The latest wait.
  var waitNumber = 0
  /// The requests that were heard already; a link may say a thing twice.
  var heardRequests: [String] = []
  /// How many of them are remembered.
  static let heardRequestCount = 32

  /// Begins with a device that is there.
  /// - Parameters:
  ///   - canPause: Whether the device can pause.
  ///   - handling: Who does what it asks for.
  public init(canPause: Bool = false, handling: Handling = .automatic) {
    self.canPause = canPause
    self.handling = handling
  }

  /// How it stands.
  public var state: State {
    switch phase {
    case .idle: .idle
    case .checking: .checking
    case .offered: .offered
    case .startingSession: .startingSession
    case .startingDevice: .startingDevice
    case .active: isAway ? .away : isPaused ? .paused : .running
    case .stoppingDevice: .stoppingDevice
    case .stoppingSession: .stoppingSession
    case .closed: .closed
    }
  }

  /// The request that the program may answer now.
  public var pendingRequest: DeviceStartRequest? { phase == .offered ? request : nil }

  /// Handles what the program or the device wants, or the end of a wait.
  public mutating func handle(_ input: Input) -> [Action] { handle(input, generation: generation) }

  /// Handles an input; what is late or repeated does nothing.
  /// - Parameters:
  ///   - input: What happened.
  ///   - inputGeneration: The attempt that it belongs to.
  /// - Returns: What is to be done, in this order.
  public mutating func handle(_ input: Input, generation inputGeneration: Int) -> [Action] {
    guard inputGeneration == generation else { return [] }
    return switch input {
    case .start(let scene, let requestID): start(scene, requestID)
    case .stop: stop()
    case .pause: pause()
    case .resume: resume()
    case .reportStarted(let scene): reportStarted(scene)
    case .reportStopped: reportStopped()
    case .close: close()
    case .device(let event): handle(event)
    case .checked(let id, let isEligible): checked(id, isEligible)
    case .sessionStarted: sessionStarted()
    case .sessionStartFailed(let failure): sessionStartFailed(failure)
    case .sessionEnded(let reason): sessionEnded(reason)
    case .sessionFinished: sessionFinished()
    case .deviceStarted: deviceStarted()
    case .deviceStartFailed(let error): deviceStartFailed(error)
    case .deviceStopped: deviceStopped()
    case .waited(let number): waited(number)
    }
  }

  private mutating func handle(_ event: DeviceEvent) -> [Action] {
    switch event {
    case .startRequested(let request): requested(request)
    case .stopRequested: stopRequested()
    case .pauseRequested: pauseRequested()
    case .resumeRequested: resumeRequested()
    case .interrupted(let reason): interrupted(reason)
    case .storageFull: deviceFailed(.storageFull, DeviceError(.storageFull, "the device's memory is full; empty it"))
    case .failed(let error): deviceFailed(.deviceError, error)
    case .disconnected: disconnected()
    case .reconnected: reconnected()
    case .recordingEnded: []
    }
  }
}
