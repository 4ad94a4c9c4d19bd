import AuricleRecognition

// What follows from a decision. Nothing here waits; what takes time runs as a task and says what came of it.
extension DeviceCoordinator {
  func perform(_ action: DeviceLifecycle.Action, _ generation: Int) {
    switch action {
    case .check(let request): check(request)
    case .offer(let request): listeners.post(.startRequested(request))
    case .withdraw(let request): listeners.post(.requestWithdrawn(request))
    case .refuse: break
    case .startSession: startSession(generation)
    case .keepSession: guarded.withLock { $0.isKept = true }
    case .letSessionGo: guarded.withLock { $0.isKept = false }
    case .startDevice(let scene): startDevice(scene, generation)
    case .stopDevice(let scene): stopDevice(scene, generation)
    case .tellStarted: answerStarter(nil)
    case .tellStartFailed(let failure): answerStarter(failure)
    case .pauseSession: session?.pause()
    case .resumeSession: session?.resume()
    case .pauseDevice: pauseDevice()
    case .resumeDevice: tell { device throws(DeviceError) in try await device.resumeAIAudioRecording() }
    case .endSession(.userInitiated, nil): session?.stop()
    case .endSession(let reason, let failure): session?.end(reason, failure)
    case .interruptSession(let reason): session?.interrupt(reason)
    case .reportStarted(let scene): report { device throws(DeviceError) in try await device.reportStartSuccess(scene) }
    case .reportStopped: report { device throws(DeviceError) in try await device.reportStopped() }
    case .noteLoss: noteLoss()
    case .tellStopRequest: listeners.post(.stopRequested)
    case .tellPauseRequest: listeners.post(.pauseRequested)
    case .tellResumeRequest: listeners.post(.resumeRequested)
    case .tellInterrupted(let reason): listeners.post(.interrupted(reason))
    case .wait(let number, let wait): startWait(number, wait)
    case .finish(let reason): finish(reason)
    case .close: letGo()
    }
  }

  private var session: (any DeviceSession)? { guarded.withLock { $0.session } }

  private func check(_ request: DeviceStartRequest) {
    // Owned by the request: it ends with the checks, and what it says is not heard once the request has expired.
    Task { [weak self, eligibility] in
      let obstacle = await eligibility.obstacle(for: request)
      if let obstacle { self?.listeners.post(.requestRefused(request, obstacle)) }
      self?.handle(.checked(requestID: request.id, isEligible: obstacle == nil))
    }
  }

  private func startSession(_ generation: Int) {
    guard let session else { return }
    // Owned by the session: it ends when the session does.
    Task {
      do throws(SessionFailure) {
        try await session.start()
      } catch {
        return handle(.sessionStartFailed(error), generation: generation)
      }
      handle(.sessionStarted, generation: generation)
      handle(.sessionEnded(await session.audioEnd().reason), generation: generation)
      await session.finished()
      handle(.sessionFinished, generation: generation)
    }
  }

  private func startDevice(_ scene: SessionConfiguration.Scene, _ generation: Int) {
    commands.add(
      DeviceCommands.Command(
        isStart: true,
        body: { [device] () throws(DeviceError) in try await device.startAIAudioRecording(scene) },
        completion: { error in
          let input = error.map { DeviceLifecycle.Input.deviceStartFailed($0) } ?? .deviceStarted
          self.handle(input, generation: generation)
        }))
  }

  /// A start that is under way is given up for it.
  private func stopDevice(_ scene: SessionConfiguration.Scene, _ generation: Int) {
    commands.cancelStarts()
    commands.add(
      DeviceCommands.Command(
        body: { [device] () throws(DeviceError) in try await device.stopAIAudioRecording(scene) },
        completion: { _ in self.handle(.deviceStopped, generation: generation) }))
  }

  /// Only once the device pauses is time without audio a pause.
  private func pauseDevice() {
    let source = guarded.withLock { $0.source }
    tell { device throws(DeviceError) in
      try await device.pauseAIAudioRecording()
      source?.pause()
    }
  }

  /// Of these the device's refusal changes nothing: the session takes nothing while it is paused.
  private func tell(_ body: @escaping @Sendable (any RecordingDevice) async throws(DeviceError) -> Void) {
    commands.add(
      DeviceCommands.Command(body: { [device] () throws(DeviceError) in try await body(device) }, completion: { _ in }))
  }

  private func report(_ body: @escaping @Sendable (any RecordingDevice) async throws(DeviceError) -> Void) {
    let caller = guarded.withLock { $0.reporters.isEmpty ? nil : $0.reporters.removeFirst() }
    commands.add(
      DeviceCommands.Command(
        body: { [device] () throws(DeviceError) in try await body(device) },
        completion: { error in caller?.resume(returning: error.map { SessionFailure($0) }) }))
  }

  private func noteLoss() {
    let (session, source) = guarded.withLock { ($0.session, $0.source) }
    session?.tell(
      SessionEvent(
        .bleDisconnected, time: source?.position ?? 0, details: ["device": device.id],
        evidence: "the device's link broke"))
  }

  private func answerStarter(_ failure: SessionFailure?) {
    let caller = guarded.withLock { state in
      defer { state.starter = nil }
      return state.starter
    }
    caller?.resume(returning: failure)
  }

  private func startWait(_ number: Int, _ wait: DeviceLifecycle.Wait) {
    let limit =
      switch wait {
      case .request: policy.request
      case .reconnection: policy.grace
      }
    // Owned by this coordinator; the next wait, or its end, cancels it.
    let timer = Task { [weak self, clock] in
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      self?.handle(.waited(number))
    }
    let before = guarded.withLock { state in
      defer { state.timer = timer }
      return state.timer
    }
    before?.cancel()
  }

  private func finish(_ reason: StopReason?) {
    guarded.withLock { ($0.session, $0.source, $0.isKept) = (nil, nil, false) }
    if let reason { listeners.post(.finished(reason)) }
  }

  private func letGo() {
    let (reader, timer) = guarded.withLock { ($0.reader, $0.timer) }
    reader?.cancel()
    timer?.cancel()
    closed.stop()
  }
}
