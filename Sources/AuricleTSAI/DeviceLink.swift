import AuricleCallbacks
import AuricleConsent
import AuricleRecognition
import AuricleSession

/// A device that a context records with, and who looks after it.
final class DeviceLink: Sendable {
  let coordinator: DeviceCoordinator
  private let agreed: Guarded<ConsentRecord?>

  /// Looks after a device, until ``close()``.
  /// - Parameters:
  ///   - host: Has to have an environment with a provider, and to answer for consent, before a request is offered.
  ///   - isBusy: Whether another recording is under way.
  ///   - onNews: Told what the device wants.
  init(
    device: any RecordingDevice, host: CallbackHost, isBusy: @escaping @Sendable () -> Bool,
    onNews: @escaping @Sendable (DeviceNews) -> Void
  ) {
    let agreed = Guarded<ConsentRecord?>(nil)
    self.agreed = agreed
    let eligibility = DeviceEligibility([
      { request in Self.obstacle(request, host: host, isBusy: isBusy()) },
      { _ in
        let consent = await host.consent?()
        agreed.withLock { $0 = consent }
        return consent == nil ? Self.noConsent : nil
      },
    ])
    coordinator = DeviceCoordinator(
      device: device, policy: DevicePolicy(handling: .byProgram), eligibility: eligibility)
    coordinator.listen(onNews)
  }

  private static let noConsent = SessionFailure(
    RecognitionError(.consentMissing, "nobody has agreed to be recorded; ask everyone who is present"))

  private static func obstacle(_ request: DeviceStartRequest, host: CallbackHost, isBusy: Bool) -> SessionFailure? {
    do throws(RecognitionError) {
      guard let environment = host.environment else {
        throw RecognitionError(.contextInactive, "no environment is set; set one before you record")
      }
      if isBusy { throw RecognitionError(.busy, "another recording is under way; stop it first") }
      _ = try environment.registry.provider(offering: request.scene.features)
      return nil
    } catch {
      return SessionFailure(error)
    }
  }

  /// The request that a start answers now, and who agreed to it; each is handed out once.
  func takeRequest() -> (id: String, consent: ConsentRecord?)? {
    guard let request = coordinator.pendingRequest else { return nil }
    let consent = agreed.withLock { agreed in
      defer { agreed = nil }
      return agreed
    }
    return (request.id, consent)
  }

  /// A session with the device: the session first, then the device; to stop, the other way round.
  func session(
    _ configuration: SessionConfiguration, _ environment: SessionEnvironment, answering requestID: String?
  ) -> any CallableSession {
    var environment = environment
    environment.openInput = { [coordinator] route, gate in try await coordinator.openInput(route, gate) }
    return DeviceRecording(
      session: RecordingSession(configuration, environment: environment), coordinator: coordinator,
      scene: configuration.scene, requestID: requestID)
  }

  func close() async { await coordinator.close() }
}

/// A session whose audio a device sends.
private struct DeviceRecording: CallableSession {
  let session: RecordingSession
  let coordinator: DeviceCoordinator
  let scene: SessionConfiguration.Scene
  let requestID: String?

  func start() async throws(SessionFailure) {
    try await coordinator.start(session, scene: scene, answering: requestID)
  }

  func stop() { coordinator.stop() }
  func end(_ reason: StopReason, _ failure: SessionFailure?) { session.end(reason, failure) }
  func interrupt(_ reason: InterruptionReason) { session.interrupt(reason) }
  func withdrawConsent() { session.withdrawConsent() }
  func appWillTerminate() { session.appWillTerminate() }
  /// The coordinator tells of it.
  func linkBroke() {}
  func selectProvider(_ vendor: String) throws(SessionFailure) { try session.selectProvider(vendor) }
  func deliver(to take: @Sendable (SessionDelivery) async -> Void) async { await session.deliver(to: take) }
  func audioReader() -> AudioReader { session.audioReader() }
  func audioEnd() async -> (reason: StopReason, failure: SessionFailure?) { await session.audioEnd() }
}
