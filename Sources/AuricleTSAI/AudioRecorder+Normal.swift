import AuricleCallbacks
import AuricleRecognition
import AuricleSession
import Foundation

// Recordings that nobody transcribes: on the device, if it can, else on this machine.
extension AudioRecorder {
  func setNormalAudioRecordingMaximumDuration(_ maximumDuration: UInt, completion: @escaping TSAICompletionBlock) {
    let completion = HostCallback(completion: completion)
    let range = SessionConfiguration.maximumMinutes
    guard let minutes = Int(exactly: maximumDuration), range.contains(minutes) else {
      let message = "a recording lasts \(range.lowerBound) to \(range.upperBound) minutes at most; choose such a number"
      return answer(completion, SessionFailure(RecognitionError(.invalidParameter, message)))
    }
    guard let device = normalDevice?.device else {
      maximumMinutes.withLock { $0 = minutes }
      return answer(completion)
    }
    ask(completion) { () throws(DeviceError) in try await device.setMaximumMinutes(minutes) }
  }

  func getNormalAudioRecordingMaximumDuration(_ completion: TSAudioRecordMaximumDurationResultBlock?) {
    guard let completion else { return }
    let callback = HostCallback<(UInt, SessionFailure?)> { completion($0, $1.map { NSError(tsai: $0) }) }
    if let device = normalDevice?.device { return getMaximum(of: device, callback) }
    let minutes = UInt(maximumMinutes.withLock { $0 })
    host.lane.post { callback((minutes, nil)) }
  }

  func startNormalAudioRecording(
    _ startCompletion: @escaping TSAICompletionBlock, finishHandler: TSAudioRecordFinishHandler?
  ) {
    let minutes = maximumMinutes.withLock { $0 }
    let coordinator = normalDevice
    let request = SessionRequest(
      .audio,
      configure: { SessionConfiguration(consent: $0, wantsTranscript: false, maximumMinutes: minutes) },
      open: { configuration, environment in
        guard let coordinator else { return RecordingSession(configuration, environment: environment) }
        return DeviceNormalRecording(coordinator: coordinator)
      })
    caller.start(request, callbacks(startCompletion, finishHandler))
  }

  func stopNormalAudioRecording(_ completion: @escaping TSAICompletionBlock) { stop(.audio, completion) }

  private func getMaximum(of device: any RecordingDevice, _ callback: HostCallback<(UInt, SessionFailure?)>) {
    // Owned by the question: it ends with the device's answer.
    Task { [host] in
      let answer: (UInt, SessionFailure?)
      do throws(DeviceError) {
        answer = (UInt(clamping: try await device.maximumMinutes()), nil)
      } catch {
        answer = (0, SessionFailure(error))
      }
      host.lane.post { callback(answer) }
    }
  }

  private func ask(
    _ completion: HostCallback<Completion>, _ body: @escaping @Sendable () async throws(DeviceError) -> Void
  ) {
    // Owned by the question: it ends with the device's answer.
    Task { [self] in
      do throws(DeviceError) {
        try await body()
        answer(completion)
      } catch {
        answer(completion, SessionFailure(error))
      }
    }
  }
}
