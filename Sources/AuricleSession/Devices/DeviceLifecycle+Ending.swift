// Pauses, troubles and ends.
extension DeviceLifecycle {
  mutating func pause() -> [Action] {
    guard phase == .active, !isPaused else { return [] }
    isPaused = true
    return [.pauseSession] + setDevicePaused()
  }

  mutating func resume() -> [Action] {
    guard phase == .active, isPaused else { return [] }
    isPaused = false
    return setDevicePaused() + [.resumeSession]
  }

  /// Has the device pause as well, if it can and is there.
  private mutating func setDevicePaused() -> [Action] {
    guard canPause, !isAway, isDevicePaused != isPaused else { return [] }
    isDevicePaused = isPaused
    return [isPaused ? .pauseDevice : .resumeDevice]
  }

  mutating func pauseRequested() -> [Action] {
    guard phase == .active, !isPaused, !isAway else { return [] }
    return [.tellPauseRequest] + (handling == .automatic ? pause() : [])
  }

  mutating func resumeRequested() -> [Action] {
    guard phase == .active, isPaused, !isAway else { return [] }
    return [.tellResumeRequest] + (handling == .automatic ? resume() : [])
  }

  mutating func stopRequested() -> [Action] {
    switch phase {
    case .checking, .offered: dropRequest()
    case .startingSession, .startingDevice, .active:
      [.tellStopRequest] + (handling == .automatic ? stop() : [])
    case .idle, .stoppingDevice, .stoppingSession, .closed: []
    }
  }

  /// Somebody stops: the device first.
  mutating func stop() -> [Action] {
    switch phase {
    case .offered: dropRequest()
    case .startingSession: abandonStart(SessionFailure(.wasStopped), .endSession(.userInitiated, nil))
    case .startingDevice: [.tellStartFailed(SessionFailure(.wasStopped))] + stopDevice()
    case .active: isAway ? endSession(.endSession(.userInitiated, nil)) : stopDevice()
    case .idle, .checking, .stoppingDevice, .stoppingSession, .closed: []
    }
  }

  /// The session has not started yet, and need not any more: it fails, or ends as soon as it has.
  private mutating func abandonStart(_ failure: SessionFailure, _ end: Action) -> [Action] {
    phase = .stoppingSession
    reason = end.reason
    return [.tellStartFailed(failure), end]
  }

  private mutating func stopDevice() -> [Action] {
    phase = .stoppingDevice
    reason = .userInitiated
    isDeviceStopping = true
    waitNumber += 1
    return [.stopDevice(scene)]
  }

  mutating func deviceStopped() -> [Action] {
    guard isDeviceStopping else { return [] }
    isDeviceStopping = false
    return phase == .stoppingDevice ? endSession(.endSession(reason ?? .userInitiated, nil)) : afterStop()
  }

  /// Ends the session before the device is stopped, or after it was.
  mutating func endSession(_ end: Action, stopsDevice: Bool = false) -> [Action] {
    phase = .stoppingSession
    reason = reason ?? end.reason
    isDeviceStopping = isDeviceStopping || stopsDevice
    isLeftOn = isLeftOn || (isAway && isDeviceTold)
    waitNumber += 1
    return [.letSessionGo, end] + (stopsDevice ? [.stopDevice(scene)] : [])
  }

  /// The device was cut off: what it was recording has ended.
  mutating func interrupted(_ interruption: InterruptionReason) -> [Action] {
    let error = DeviceError(
      .interrupted, "the device was interrupted (\(interruption.name)); start again when it is free")
    let actions = trouble(SessionFailure(error), .interruptSession(interruption))
    return actions.isEmpty ? [] : [.tellInterrupted(interruption)] + actions
  }

  mutating func deviceFailed(_ reason: StopReason, _ error: DeviceError) -> [Action] {
    trouble(SessionFailure(error), .endSession(reason, SessionFailure(error)))
  }

  /// The device cannot go on. What is ending already ends as it would.
  private mutating func trouble(_ failure: SessionFailure, _ end: Action) -> [Action] {
    switch phase {
    case .checking, .offered: dropRequest()
    case .startingSession: abandonStart(failure, end)
    case .startingDevice: failStart(failure, end, stopsDevice: true)
    case .active: endSession(end, stopsDevice: !isAway)
    case .idle, .stoppingDevice, .stoppingSession, .closed: []
    }
  }

  mutating func disconnected() -> [Action] {
    guard !isAway else { return [] }
    isAway = true
    isLeftOn = isDeviceStopping
    if stopReport == .due { stopReport = .lapsed }
    heardRequests = []
    let gone = SessionFailure(.isGone)
    switch phase {
    case .checking, .offered: return dropRequest()
    case .startingDevice: return [.noteLoss] + failStart(gone, .endSession(.disconnected, gone))
    case .active:
      waitNumber += 1
      return [.noteLoss, .wait(waitNumber, .reconnection)]
    case .stoppingDevice: return [.noteLoss] + deviceStopped()
    case .stoppingSession: return deviceStopped()
    // Shows when the session runs, if it is not back by then.
    case .startingSession: return []
    case .idle, .closed: return []
    }
  }

  mutating func reconnected() -> [Action] {
    guard isAway else { return [] }
    isAway = false
    waitNumber += 1
    // What was wanted of it meanwhile.
    if phase == .active { return setDevicePaused() }
    guard isLeftOn, phase != .closed else { return [] }
    isLeftOn = false
    isDeviceStopping = phase == .stoppingSession
    return [.stopDevice(scene)]
  }

  mutating func waited(_ number: Int) -> [Action] {
    guard number == waitNumber else { return [] }
    switch phase {
    case .checking, .offered: return dropRequest()
    case .active:
      guard isAway else { return [] }
      return endSession(.endSession(.disconnected, SessionFailure(.isGone)))
    case .idle, .startingSession, .startingDevice, .stoppingDevice, .stoppingSession, .closed: return []
    }
  }

  /// The session's audio has ended: by itself, or since it was told to.
  mutating func sessionEnded(_ reason: StopReason) -> [Action] {
    let isNew = !isAudioOver
    switch phase {
    case .startingDevice:
      isAudioOver = true
      self.reason = reason
      let failure = SessionFailure(DeviceError(.failed, "the recording ended before the device began (\(reason.name))"))
      return [.tellStartFailed(failure)] + leaveEndedSession(stopsDevice: true)
    case .active:
      isAudioOver = true
      self.reason = reason
      return leaveEndedSession(stopsDevice: !isAway)
    case .stoppingDevice:
      isAudioOver = true
      return leaveEndedSession(stopsDevice: false)
    case .stoppingSession:
      isAudioOver = true
      return isNew ? afterStop() : []
    case .idle, .checking, .offered, .startingSession, .closed: return []
    }
  }

  /// As ``endSession(_:stopsDevice:)``, of a session that has ended.
  private mutating func leaveEndedSession(stopsDevice: Bool) -> [Action] {
    phase = .stoppingSession
    isDeviceStopping = isDeviceStopping || stopsDevice
    isLeftOn = isLeftOn || (isAway && isDeviceTold)
    waitNumber += 1
    return [.letSessionGo] + (stopsDevice ? [.stopDevice(scene)] : []) + afterStop()
  }

  mutating func sessionFinished() -> [Action] {
    switch phase {
    case .startingDevice, .active, .stoppingDevice:
      isSessionOver = true
      return sessionEnded(reason ?? .unknown)
    case .stoppingSession:
      isAudioOver = true
      isSessionOver = true
      return afterStop()
    case .idle, .checking, .offered, .startingSession, .closed: return []
    }
  }

  /// Once device and session have stopped that may be reported, and once the session is over, so is the attempt.
  private mutating func afterStop() -> [Action] {
    guard isAudioOver || isSessionOver, !isDeviceStopping else { return [] }
    var actions: [Action] = []
    if isAsked, isToldStarted, !isAway, stopReport == .notDue {
      stopReport = .due
      if handling == .automatic { actions = reportStopped() }
    }
    return actions + conclude()
  }

  mutating func conclude() -> [Action] {
    guard phase == .stoppingSession, isSessionOver, !isDeviceStopping else { return [] }
    phase = isClosing ? .closed : .idle
    request = nil
    (isPaused, startReport) = (false, .notDue)
    return [.finish(isToldStarted ? reason ?? .unknown : nil)] + (isClosing ? [.close] : [])
  }

  mutating func close() -> [Action] {
    guard !isClosing else { return [] }
    isClosing = true
    switch phase {
    case .idle, .checking, .offered:
      let withdrawal = phase == .idle ? [] : dropRequest()
      phase = .closed
      return withdrawal + [.close]
    case .startingSession, .startingDevice, .active: return stop()
    case .stoppingDevice, .stoppingSession, .closed: return []
    }
  }
}

extension DeviceLifecycle.Action {
  /// The reason for which an action ends a session.
  var reason: StopReason? {
    switch self {
    case .endSession(let reason, _): reason
    case .interruptSession: .interrupted
    case .check, .offer, .withdraw, .refuse, .startSession, .keepSession, .startDevice, .tellStarted, .tellStartFailed,
      .pauseDevice, .resumeDevice, .pauseSession, .resumeSession, .stopDevice, .letSessionGo, .reportStarted,
      .reportStopped, .noteLoss, .tellStopRequest, .tellPauseRequest, .tellResumeRequest, .tellInterrupted, .wait,
      .finish, .close:
      nil
    }
  }
}
