import AuricleRecognition

extension RecordingSession: DeviceSession {
  /// Waits until a session that started has its report, or one that did not has failed.
  package func finished() async { _ = await core.results.over.wait() }
}

extension DeviceCoordinator {
  /// Begins a recording, and waits until both sides run.
  /// - Parameters:
  ///   - session: A session that was not started, whose input is ``openInput(_:_:)``.
  ///   - requestID: The request of the device that this answers; `nil` for a recording of the program's own.
  /// - Throws: Why it did not begin: of the device's domain, of kind `busy` while another one is under way, of kind
  ///   `requestUnknown` or `requestExpired` for a request that is not ``pendingRequest``; or what the session threw. A
  ///   session that had started ends, with its report.
  public func start(_ session: RecordingSession, answering requestID: String? = nil) async throws(SessionFailure) {
    try await start(session, scene: session.core.configuration.scene, answering: requestID)
  }
}
