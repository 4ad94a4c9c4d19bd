import AuricleCallbacks
import AuricleRecognition
import AuricleSession
import Foundation

// Recordings that are transcribed.
extension AudioRecorder {
  func startAIAudioRecording(
    with config: TSAIAudioRecordConfig?, startCompletion: @escaping TSAICompletionBlock,
    didReceiveAudioData: TSAudioRecordDataReceivedBlock?,
    didReceiveSessionResult: TSAIAudioRecordSessionResultHandler?, finishHandler: TSAudioRecordFinishHandler?
  ) {
    let values = RecordConfigValues(config ?? .default())
    let device = device
    let asked = device?.takeRequest()
    let request = SessionRequest(
      .text, consent: asked?.consent,
      configure: { consent throws(SessionFailure) in try values.configuration(consent) },
      open: { configuration, environment in
        guard let device else { return RecordingSession(configuration, environment: environment) }
        return device.session(configuration, environment, answering: asked?.id)
      })
    var callbacks = callbacks(startCompletion, finishHandler)
    if let didReceiveSessionResult {
      let result = HostCallback(didReceiveSessionResult)
      let requestId = asked?.id ?? UUID().uuidString
      callbacks.result = { if let told = TSAIAudioRecordSessionResult($0, requestId: requestId) { result(told) } }
    }
    callbacks.audio = audio(didReceiveAudioData)
    callbacks.stateChanged = { [listeners] state in
      listeners.withLock { $0.state }?(TSAIAudioRecordState(state))
    }
    caller.start(request, callbacks)
  }

  func stopAIAudioRecording(_ completion: @escaping TSAICompletionBlock) { stop(.text, completion) }

  /// Who takes the audio: the recording's own block, and who listens when it starts; `nil` for nobody.
  private func audio(_ block: TSAudioRecordDataReceivedBlock?) -> (@Sendable ([UInt8]) -> Void)? {
    let own = block.map { HostCallback($0) }
    guard own != nil || listeners.withLock({ $0.voiceData }) != nil else { return nil }
    return { [listeners] bytes in
      let data = Data(bytes)
      own?(data)
      listeners.withLock { $0.voiceData }?(data)
    }
  }
}
