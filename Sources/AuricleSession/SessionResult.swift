import AuricleRecognition

/// What a session delivers, in one ordered stream.
public enum SessionResult: Sendable, Equatable {
  /// Words.
  case transcript(Transcript)
  /// Something beside the words.
  case event(SessionEvent)
  /// Something went wrong; whether the session goes on shows in what follows.
  case failure(SessionFailure)
  /// How a recording stands; of several that wait only the newest is delivered.
  case recording(RecordingStatus)
  /// It is over: exactly once, and nothing follows.
  case finish(RecordingReport)
}

/// A result and when it was delivered.
public struct SessionDelivery: Sendable, Equatable {
  /// Seconds of a monotonic clock since the first audio was fed; 0 before that. Never falls within a session.
  public let emitted: Double
  /// What was delivered.
  public let result: SessionResult

  /// Creates a delivery.
  public init(emitted: Double, result: SessionResult) {
    self.emitted = emitted
    self.result = result
  }
}
