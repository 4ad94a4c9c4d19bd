import AuricleCallbacks
import AuricleSession

/// A normal recording that the device makes by itself: nobody hears it here, and its file stays on the device.
final class DeviceNormalRecording: CallableSession {
  private let recording: DeviceRecording

  init(coordinator: DeviceCoordinator) {
    recording = DeviceRecording(device: coordinator.device, policy: coordinator.policy)
  }

  func start() async throws(SessionFailure) { try await recording.start() }
  /// The end follows from the device.
  func stop() { recording.stop() }
  func end(_ reason: StopReason, _ failure: SessionFailure?) { stop() }
  func interrupt(_ reason: InterruptionReason) { stop() }
  func withdrawConsent() { stop() }
  func appWillTerminate() { stop() }
  func linkBroke() {}
  func selectProvider(_ vendor: String) throws(SessionFailure) {}

  func deliver(to take: @Sendable (SessionDelivery) async -> Void) async {}
  func audioReader() -> AudioReader { { _ in } }

  func audioEnd() async -> (reason: StopReason, failure: SessionFailure?) { await recording.end() }
}
