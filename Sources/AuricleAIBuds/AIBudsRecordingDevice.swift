import AuricleCallbacks
import AuricleConsent
import AuricleRecognition
import AuricleSession
import Foundation

/// A device of the core by the calls of AIBuds; ours.
///
/// The program starts the service first and the device when that runs; so the environment's `openInput` has to be
/// ``openInput(_:_:)``, which hears nothing before the device sends. What cuts the device off ends the session that runs.
public final class AIBudsRecordingDevice: DeviceAudioRecordingAPI, Sendable {
  /// The device.
  public let device: any RecordingDevice
  private let service: AudioRecordingService
  /// Opens the device's audio, and waits for it when it goes away; nothing is started through it.
  private let coordinator: DeviceCoordinator
  private let reader: Task<Void, Never>

  /// Listens to a device from now on, until it is let go.
  public convenience init(_ device: any RecordingDevice) { self.init(device, service: AIBudsAISDK.service) }

  init(_ device: any RecordingDevice, service: AudioRecordingService) {
    self.device = device
    self.service = service
    coordinator = DeviceCoordinator(
      device: device, policy: DevicePolicy(handling: .byProgram), eligibility: DeviceEligibility([]))
    let events = device.events()
    // Owned by this device, whose end cancels it.
    reader = Task { [caller = service.caller] in
      for await event in events { caller.session?.hear(event) }
    }
  }

  deinit { reader.cancel() }

  /// Opens the device as the input of a session: for `SessionEnvironment.openInput`.
  public func openInput(_ route: AudioRoute?, _ gate: ConsentGate) async throws -> SessionInput {
    try await coordinator.openInput(route, gate)
  }

  /// Asks for the greatest length of a normal recording on the device, in whole minutes.
  public func getNormalAudioRecordingMaximumDuration(
    _ completion: @escaping (_ minutes: Int, _ error: (any Error)?) -> Void
  ) {
    let callback = HostCallback<(Int, SessionFailure?)> { completion($0, $1.map { NSError(aiBuds: $0) }) }
    // Owned by the question: it ends with the device's answer.
    Task { [device, lane = service.host.lane] in
      let answer: (Int, SessionFailure?)
      do throws(DeviceError) { answer = (try await device.maximumMinutes(), nil) } catch {
        answer = (0, SessionFailure(error))
      }
      lane.post { callback(answer) }
    }
  }

  /// Changes it: 1 through 240; anything else is refused and changes nothing.
  public func setNormalAudioRecordingMaximumDuration(
    _ minutes: Int, completion: @escaping DeviceAudioRecordingCompletion
  ) {
    ask(completion) { device throws(DeviceError) in try await device.setMaximumMinutes(minutes) }
  }

  /// Asks the device to begin a recording that nobody transcribes.
  public func requestStartNormalAudioRecording(_ completion: @escaping DeviceAudioRecordingCompletion) {
    ask(completion) { device throws(DeviceError) in try await device.requestStart() }
  }

  /// Asks it to end that.
  public func requestStopNormalAudioRecording(_ completion: @escaping DeviceAudioRecordingCompletion) {
    ask(completion) { device throws(DeviceError) in try await device.requestStop() }
  }

  /// Asks the device to send audio for a session that runs.
  public func startAIAudioRecording(_ scene: RecordingScene, completion: @escaping DeviceAudioRecordingCompletion) {
    ask(completion) { device throws(DeviceError) in try await device.startAIAudioRecording(scene.scene) }
  }

  /// Asks it to send no more.
  public func stopAIAudioRecording(_ scene: RecordingScene, completion: @escaping DeviceAudioRecordingCompletion) {
    ask(completion) { device throws(DeviceError) in try await device.stopAIAudioRecording(scene.scene) }
  }

  private func ask(
    _ completion: @escaping DeviceAudioRecordingCompletion,
    _ body: @escaping @Sendable (any RecordingDevice) async throws(DeviceError) -> Void
  ) {
    let callback = HostCallback<SessionFailure?> { completion($0 == nil, $0.map { NSError(aiBuds: $0) }) }
    // Owned by the question: it ends with the device's answer.
    Task { [device, lane = service.host.lane] in
      let failure: SessionFailure?
      do throws(DeviceError) {
        try await body(device)
        failure = nil
      } catch {
        failure = SessionFailure(error)
      }
      lane.post { callback(failure) }
    }
  }
}

extension CallableSession {
  /// What cuts a device off, cuts the session off. A device that is gone may come back: its audio says when it does not.
  fileprivate func hear(_ event: DeviceEvent) {
    switch event {
    case .interrupted(let reason): interrupt(reason)
    case .storageFull:
      end(.storageFull, SessionFailure(DeviceError(.storageFull, "the device's memory is full; empty it")))
    case .failed(let error): end(.deviceError, SessionFailure(error))
    case .disconnected: linkBroke()
    case .startRequested, .stopRequested, .pauseRequested, .resumeRequested, .reconnected, .recordingEnded: break
    }
  }
}
