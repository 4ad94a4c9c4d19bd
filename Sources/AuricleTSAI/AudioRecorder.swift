import AuricleCallbacks
import AuricleConsent
import AuricleRecognition
import AuricleSession
import Foundation

/// What stands behind ``TSAudioRecordInterface``: one recording at a time, with or without AI.
final class AudioRecorder: TSAudioRecordInterface, Sendable {
  /// Who listens, beside the callbacks of a single recording.
  struct Listeners: Sendable {
    var startRequest: HostCallback<TSAIAudioRecordScene>?
    var stopRequest: HostCallback<Void>?
    var interruption: HostCallback<TSAIAudioRecordInterruptReason>?
    var voiceData: HostCallback<Data>?
    var state: HostCallback<TSAIAudioRecordState>?
  }

  let host: CallbackHost
  let caller: SessionCaller
  let listeners = Guarded(Listeners())
  /// Of recordings on this machine.
  let maximumMinutes = Guarded(SessionConfiguration.maximumMinutes.upperBound)

  private let link = Guarded<DeviceLink?>(nil)

  init(host: CallbackHost) {
    self.host = host
    caller = SessionCaller(host: host)
  }

  /// The device that is recorded with; `nil` for this machine.
  var device: DeviceLink? { link.withLock { $0 } }

  /// Who looks after a device that records by itself.
  var normalDevice: DeviceCoordinator? {
    device.flatMap { $0.coordinator.device.abilities.contains(.normalRecording) ? $0.coordinator : nil }
  }

  /// Records with another device from now on; what goes on with the one before is stopped.
  func attach(_ device: (any RecordingDevice)?) {
    let new = device.map { device in
      DeviceLink(
        device: device, host: host, isBusy: { [caller] in caller.isActive }, onNews: { [weak self] in self?.hear($0) })
    }
    let old = link.withLock { link in
      defer { link = new }
      return link
    }
    // Owned by the device that is left: it ends with what goes on with it.
    if let old { Task { await old.close() } }
  }

  func withdrawConsent() { caller.session?.withdrawConsent() }
  func applicationWillTerminate() { caller.session?.appWillTerminate() }

  /// Calls a single answer.
  func answer(_ completion: HostCallback<Completion>?, _ failure: SessionFailure? = nil) {
    guard let completion else { return }
    host.lane.post { completion(Completion(failure)) }
  }

  /// Stops a recording; an answer comes when its audio has ended.
  func stop(_ purpose: SessionRequest.Purpose, _ completion: @escaping TSAICompletionBlock) {
    let completion = HostCallback(completion: completion)
    guard let ended = caller.stop(purpose) else { return answer(completion) }
    // The recorder's own; it ends with the recording's audio.
    Task { [self] in
      _ = await ended.wait()
      answer(completion)
    }
  }

  /// The callbacks that both kinds of recordings have.
  func callbacks(
    _ startCompletion: @escaping TSAICompletionBlock, _ finishHandler: TSAudioRecordFinishHandler?
  ) -> SessionCallbacks {
    let completion = HostCallback(completion: startCompletion)
    var callbacks = SessionCallbacks()
    callbacks.didStart = { completion(Completion()) }
    callbacks.didNotStart = { completion(Completion($0)) }
    guard let finishHandler else { return callbacks }
    let ended = HostCallback<(StopReason, SessionFailure?)> { reason, failure in
      finishHandler(TSAudioRecordStopReason(reason), failure.map { NSError(tsai: $0) })
    }
    callbacks.audioEnded = { ended(($0, $1)) }
    return callbacks
  }
}

/// What a completion block is told.
struct Completion: Sendable {
  let failure: SessionFailure?
  init(_ failure: SessionFailure? = nil) { self.failure = failure }
}

extension HostCallback<Completion> {
  /// Takes over a completion block.
  init(completion block: @escaping TSAICompletionBlock) {
    self.init { block($0.failure == nil, $0.failure.map { NSError(tsai: $0) }) }
  }
}
