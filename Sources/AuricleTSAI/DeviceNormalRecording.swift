import AuricleCallbacks
import AuricleRecognition
import AuricleSession

/// A normal recording that the device makes by itself: nobody hears it here, and its file stays on the device.
final class DeviceNormalRecording: CallableSession {
  private let coordinator: DeviceCoordinator
  private let over = StopSignal()
  private let ending = Guarded<(reason: StopReason, failure: SessionFailure?)?>(nil)

  private let listener = Guarded<DeviceListening?>(nil)

  init(coordinator: DeviceCoordinator) { self.coordinator = coordinator }

  func start() async throws(SessionFailure) {
    let listening = coordinator.listen { [weak self] news in
      if case .normalRecordingEnded(let reason) = news { self?.end(reason, nil) }
    }
    listener.withLock { $0 = listening }
    do throws(DeviceError) {
      try await coordinator.device.requestStart()
    } catch {
      throw SessionFailure(error)
    }
  }

  deinit { listener.withLock { $0 }?.remove() }

  /// The end follows from the device.
  func stop() {
    // Owned by the recording: it ends with the device's answer.
    Task {
      do throws(DeviceError) {
        try await coordinator.device.requestStop()
      } catch {
        end(.deviceError, SessionFailure(error))
      }
    }
  }

  func end(_ reason: StopReason, _ failure: SessionFailure?) {
    ending.withLock { $0 = $0 ?? (reason, failure) }
    over.stop()
  }

  func interrupt(_ reason: InterruptionReason) { stop() }
  func withdrawConsent() { stop() }
  func appWillTerminate() { stop() }
  func selectProvider(_ vendor: String) throws(SessionFailure) {}

  func deliver(to take: @Sendable (SessionDelivery) async -> Void) async {}
  func audioReader() -> AudioReader { { _ in } }

  func audioEnd() async -> (reason: StopReason, failure: SessionFailure?) {
    _ = await over.wait()
    return ending.withLock { $0 } ?? (.unknown, nil)
  }
}
