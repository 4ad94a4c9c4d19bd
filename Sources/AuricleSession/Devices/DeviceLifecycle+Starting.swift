// Requests and starts.
extension DeviceLifecycle {
  /// The device wants a recording: heard once, and only while nothing else is under way.
  mutating func requested(_ request: DeviceStartRequest) -> [Action] {
    guard hear(request.id), phase == .idle, !isAway else { return [] }
    self.request = request
    phase = .checking
    waitNumber += 1
    return [.check(request), .wait(waitNumber, .request)]
  }

  /// - Returns: Whether it was not heard before.
  private mutating func hear(_ id: String) -> Bool {
    guard !heardRequests.contains(id) else { return false }
    if heardRequests.count == Self.heardRequestCount { heardRequests.removeFirst() }
    heardRequests.append(id)
    return true
  }

  mutating func checked(_ id: String, _ isEligible: Bool) -> [Action] {
    guard phase == .checking, let request, request.id == id else { return [] }
    guard isEligible else {
      dropRequest()
      return []
    }
    phase = .offered
    return [.offer(request)]
  }

  /// Nobody answers the request any more.
  /// - Returns: That it is withdrawn, if the program was asked.
  @discardableResult
  mutating func dropRequest() -> [Action] {
    let withdrawal = pendingRequest.map { [Action.withdraw($0)] } ?? []
    request = nil
    phase = .idle
    waitNumber += 1
    return withdrawal
  }

  /// A start that names no request is the program's own, and a request that waits is dropped for it.
  mutating func start(_ scene: SessionConfiguration.Scene, _ requestID: String?) -> [Action] {
    switch phase {
    case .closed: return [.refuse(.isClosed)]
    case .startingSession, .startingDevice, .active, .stoppingDevice, .stoppingSession: return [.refuse(.isBusy)]
    case .idle, .checking, .offered: break
    }
    if isAway { return [.refuse(.isGone)] }
    guard let requestID else {
      let withdrawal = phase == .idle ? [] : dropRequest()
      return withdrawal + begin(scene, isAsked: false)
    }
    if requestID == pendingRequest?.id { return begin(scene, isAsked: true) }
    let isExpired = heardRequests.contains(requestID)
    return [
      .refuse(
        isExpired
          ? DeviceError(.requestExpired, "the device does not wait for that any more; ask for it there again")
          : DeviceError(.requestUnknown, "the device did not ask for that; start without a request"))
    ]
  }

  private mutating func begin(_ scene: SessionConfiguration.Scene, isAsked: Bool) -> [Action] {
    generation += 1
    waitNumber += 1
    phase = .startingSession
    self.scene = scene
    self.isAsked = isAsked
    if !isAsked { request = nil }
    (isPaused, isDevicePaused, isToldStarted) = (false, false, false)
    (isDeviceTold, isLeftOn) = (false, false)
    (isDeviceStopping, isAudioOver, isSessionOver) = (false, false, false)
    (startReport, stopReport) = (.notDue, .notDue)
    reason = nil
    return [.startSession]
  }

  mutating func sessionStarted() -> [Action] {
    switch phase {
    case .startingSession:
      guard !isAway else {
        return [.keepSession] + failStart(SessionFailure(.isGone), .endSession(.disconnected, SessionFailure(.isGone)))
      }
      phase = .startingDevice
      isDeviceTold = true
      return [.keepSession, .startDevice(scene)]
    // It was told to end before it began, and its end follows.
    case .stoppingSession: return []
    case .idle, .checking, .offered, .startingDevice, .active, .stoppingDevice, .closed: return []
    }
  }

  mutating func sessionStartFailed(_ failure: SessionFailure) -> [Action] {
    switch phase {
    case .startingSession:
      isToldStarted = false
      isSessionOver = true
      phase = .stoppingSession
      return [.tellStartFailed(failure)] + conclude()
    // It was told to end before it began, and that was told to have failed. One that began cannot fail to.
    case .stoppingSession:
      guard !isDeviceTold else { return [] }
      isSessionOver = true
      return conclude()
    case .idle, .checking, .offered, .startingDevice, .active, .stoppingDevice, .closed: return []
    }
  }

  /// Both run: only now may anybody be told so.
  mutating func deviceStarted() -> [Action] {
    guard phase == .startingDevice else { return [] }
    phase = .active
    isToldStarted = true
    guard isAsked else { return [.tellStarted] }
    startReport = .due
    return [.tellStarted] + (handling == .automatic ? reportStarted(scene) : [])
  }

  mutating func deviceStartFailed(_ error: DeviceError) -> [Action] {
    guard phase == .startingDevice else { return [] }
    let failure = SessionFailure(error)
    let reason: StopReason = error.kind == .disconnected ? .disconnected : .deviceError
    // A device that did not answer may run all the same.
    return failStart(failure, .endSession(reason, failure), stopsDevice: error.kind == .timedOut)
  }

  /// The session runs, and the device will not.
  mutating func failStart(_ failure: SessionFailure, _ end: Action, stopsDevice: Bool = false) -> [Action] {
    [.tellStartFailed(failure)] + endSession(end, stopsDevice: stopsDevice)
  }
}
