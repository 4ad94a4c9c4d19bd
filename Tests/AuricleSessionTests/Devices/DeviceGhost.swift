@testable import AuricleSession

/// What really happened to device and session, seen beside the machine, and what the machine made of it.
struct DeviceGhost {
  typealias Machine = DeviceLifecycle

  var faults: Set<String> = []
  var isClosed = false
  private(set) var finishCount = 0
  private(set) var startReports = 0
  private(set) var stopReports = 0

  private var eligible: String?
  private var offered: Set<String> = []
  private var attempt = 0
  private var isOpen = false
  private var isAsked = false
  /// Whether the start that was heard last answers a request.
  private var isNextAsked = false
  private var hasSession = false
  private var isSessionAnswered = false
  private var isAudioOver = false
  private var isDeviceTold = false
  private var isDeviceAnswered = false
  private var isDeviceRunning = false
  private var isStopTold = false
  private var isStopAnswered = false
  private var isLetGo = false
  private var startResults = 0
  private var isToldStarted = false
  private var ends = 0
  private var attemptStartReports = 0
  private var attemptStopReports = 0

  /// Something happens in the world.
  mutating func hear(_ input: Machine.Input, _ machine: Machine) {
    switch input {
    case .checked(let id, true): eligible = machine.state == .checking && machine.request?.id == id ? id : nil
    case .start(_, let id): isNextAsked = id != nil && id == machine.pendingRequest?.id
    case .sessionStarted:
      if isOpen, !isSessionAnswered { (isSessionAnswered, hasSession) = (true, true) }
    case .sessionStartFailed: if isOpen, !isSessionAnswered { isSessionAnswered = true }
    case .sessionEnded, .sessionFinished: if hasSession || machine.state == .stoppingSession { isAudioOver = true }
    case .deviceStarted:
      if isDeviceTold, !isDeviceAnswered, machine.state == .startingDevice {
        (isDeviceAnswered, isDeviceRunning) = (true, true)
      }
    case .deviceStartFailed: if isDeviceTold { isDeviceAnswered = true }
    case .deviceStopped: if isStopTold { (isStopAnswered, isDeviceRunning) = (true, false) }
    case .device(.disconnected): (isDeviceRunning, isStopTold) = (false, false)
    case .device(.reconnected): if machine.state == .away { isDeviceRunning = true }
    case .stop, .pause, .resume, .reportStarted, .reportStopped, .close, .checked, .waited, .device: break
    }
  }

  /// The machine wants something done.
  mutating func see(_ action: Machine.Action, _ machine: Machine) {
    if isClosed, !action.isRefusal { faults.insert("\(action) after the close") }
    switch action {
    case .offer(let request):
      if request.id != eligible { faults.insert("offered without a check") }
      if request.id != "1", request.id != "2", !offered.insert(request.id).inserted { faults.insert("offered twice") }
    case .startSession: begin(machine)
    case .keepSession: if !hasSession { faults.insert("kept a session that does not run") }
    case .startDevice:
      if !hasSession || isDeviceTold { faults.insert("the device started before the session, or twice") }
      isDeviceTold = true
    case .tellStarted:
      startResults += 1
      isToldStarted = true
      if !hasSession || !isDeviceRunning { faults.insert("told a start of one side") }
    case .tellStartFailed: startResults += 1
    case .stopDevice:
      if !isDeviceTold || isStopTold { faults.insert("stopped a device that was not started, or twice") }
      isStopTold = true
    case .letSessionGo: isLetGo = true
    case .endSession(let reason, _): end(reason, machine)
    case .interruptSession: ends += 1
    case .reportStarted:
      attemptStartReports += 1
      startReports += 1
      if !isAsked || !isToldStarted || !isDeviceRunning || isLetGo { faults.insert("reported a start that was none") }
    case .reportStopped:
      attemptStopReports += 1
      stopReports += 1
      if !isAsked || !isToldStarted || !isAudioOver { faults.insert("reported a stop that was none") }
      if isStopTold, !isStopAnswered { faults.insert("reported a stop before the device's") }
    case .finish(let reason): finish(reason)
    case .close: isClosed = true
    case .check, .withdraw, .refuse, .pauseDevice, .resumeDevice, .pauseSession, .resumeSession, .noteLoss,
      .tellStopRequest, .tellPauseRequest, .tellResumeRequest, .tellInterrupted, .wait:
      break
    }
    if startResults > 1 { faults.insert("two start results") }
    if ends > 1 { faults.insert("two ends") }
    if attemptStartReports > 1 || attemptStopReports > 1 { faults.insert("a report twice") }
  }

  private mutating func begin(_ machine: Machine) {
    if isOpen { faults.insert("two sessions at once") }
    if machine.generation <= attempt, machine.generation != 1 { faults.insert("a generation that does not grow") }
    attempt = machine.generation
    let before = self
    self = DeviceGhost()
    (faults, finishCount, startReports, stopReports) =
      (before.faults, before.finishCount, before.startReports, before.stopReports)
    (offered, eligible, attempt) = (before.offered, before.eligible, machine.generation)
    (isAsked, isOpen) = (before.isNextAsked, true)
  }

  private mutating func end(_ reason: StopReason, _ machine: Machine) {
    ends += 1
    if hasSession, !isLetGo { faults.insert("ended a session that was not let go") }
    if reason == .userInitiated, isDeviceTold, isStopTold, !isStopAnswered, isDeviceRunning {
      faults.insert("the session ended before the device")
    }
  }

  private mutating func finish(_ reason: StopReason?) {
    finishCount += 1
    if !isOpen { faults.insert("two finishes") }
    if startResults != 1 { faults.insert("a finish without a start result") }
    if (reason != nil) != isToldStarted { faults.insert("a finish that does not fit its start") }
    if isDeviceTold, isDeviceRunning, !isStopTold { faults.insert("a device that was left running") }
    isOpen = false
  }

  /// What must hold at any time.
  mutating func look(_ machine: Machine) {
    if (machine.pendingRequest != nil) != (machine.state == .offered) { faults.insert("a request that is not offered") }
    if machine.heardRequests.count > Machine.heardRequestCount { faults.insert("too much is remembered") }
  }
}

extension DeviceLifecycle.Action {
  fileprivate var isRefusal: Bool { if case .refuse = self { true } else { false } }
}
