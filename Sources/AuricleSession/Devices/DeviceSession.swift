import AuricleRecognition

/// What whoever looks after a device needs of a session.
package protocol DeviceSession: Sendable {
  /// Starts. Returns when it takes audio.
  /// - Throws: Once and for all, when it does not; nothing of it follows then.
  func start() async throws(SessionFailure)
  /// Takes nothing until it is resumed.
  func pause()
  /// Takes audio again.
  func resume()
  /// Ends the audio, since somebody wants it. Never waits; also while it starts.
  func stop()
  /// Ends the audio for a reason. Never waits; also while it starts.
  func end(_ reason: StopReason, _ failure: SessionFailure?)
  /// Ends the audio, since it was cut off. Never waits; also while it starts.
  func interrupt(_ reason: InterruptionReason)
  /// Notes something that happened outside; nothing when it has not started or is over.
  func tell(_ event: SessionEvent)
  /// Waits for the end of the audio of a session that started.
  func audioEnd() async -> (reason: StopReason, failure: SessionFailure?)
  /// Waits until a session that started has delivered everything, or nobody takes it.
  func finished() async
}
