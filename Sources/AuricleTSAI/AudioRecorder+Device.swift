import AuricleCallbacks
import AuricleRecognition
import AuricleSession
import Foundation

// What a device asks and tells, and what is reported to it.
extension AudioRecorder {
  func registerOnRequestStartAIAudioRecording(_ block: TSAIAudioRecordRequestStartBlock?) {
    listeners.withLock { $0.startRequest = block.map { HostCallback($0) } }
  }

  func registerOnRequestStopAIAudioRecording(_ block: (() -> Void)?) {
    listeners.withLock { $0.stopRequest = block.map { block in HostCallback<Void> { _ in block() } } }
  }

  func registerAIAudioRecordingDidInterrupt(_ block: TSAIAudioRecordInterruptBlock?) {
    listeners.withLock { $0.interruption = block.map { HostCallback($0) } }
  }

  func registerOnAIAudioRecordingVoiceDataReceived(_ block: TSAudioRecordVoiceDataReceivedBlock?) {
    listeners.withLock { $0.voiceData = block.map { HostCallback($0) } }
  }

  func registerAIAudioRecordingStateDidChanged(_ block: TSAIAudioRecordStateBlock?) {
    listeners.withLock { $0.state = block.map { HostCallback($0) } }
  }

  /// What a device asks and tells.
  func hear(_ news: DeviceNews) {
    let listeners = listeners.withLock { $0 }
    switch news {
    case .startRequested(let request):
      tell(listeners.startRequest, TSAIAudioRecordScene(request.scene))
    case .stopRequested: tell(listeners.stopRequest, ())
    case .interrupted(let reason): tell(listeners.interruption, TSAIAudioRecordInterruptReason(reason))
    case .state, .requestWithdrawn, .requestRefused, .pauseRequested, .resumeRequested, .finished,
      .normalRecordingEnded:
      break
    }
  }

  private func tell<Value: Sendable>(_ callback: HostCallback<Value>?, _ value: Value) {
    if let callback { host.lane.post { callback(value) } }
  }

  func reportAIAudioRecordingStartSuccess(with scene: TSAIAudioRecordScene, completion: TSAICompletionBlock?) {
    report(completion) { device throws(SessionFailure) in
      guard let scene = scene.scene else {
        throw SessionFailure(RecognitionError(.invalidParameter, "the recording scene is unknown; say which one runs"))
      }
      try await device.reportStartSuccess(scene)
    }
  }

  func reportAIAudioRecordingStopped(completion: TSAICompletionBlock?) {
    report(completion) { device throws(SessionFailure) in try await device.reportStopped() }
  }

  private func report(
    _ completion: TSAICompletionBlock?,
    _ body: @escaping @Sendable (DeviceCoordinator) async throws(SessionFailure) -> Void
  ) {
    let completion = completion.map { HostCallback(completion: $0) }
    guard let coordinator = device?.coordinator else {
      let message = "there is no device to report to; set one before you record"
      return answer(completion, SessionFailure(RecognitionError(.contextInactive, message)))
    }
    // Owned by the report: it ends with the device's answer.
    Task { [self] in
      do throws(SessionFailure) {
        try await body(coordinator)
        answer(completion)
      } catch {
        answer(completion, error)
      }
    }
  }
}
