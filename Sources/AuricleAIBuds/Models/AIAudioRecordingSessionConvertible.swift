/// A session that runs. To hold it keeps nothing running, and to let it go ends nothing; it tells the host's sessions apart.
public protocol AIAudioRecordingSessionConvertible: AnyObject, Sendable {
  /// Names the session; the same as in its results. Ours: the page shows no property.
  var requestId: String { get }
  /// What the session was started with. Ours: the page shows no property.
  var config: AIAudioRecordingSessionConfig { get }
}

/// The session that ``AIBudsAISDK`` hands out.
final class StartedSession: AIAudioRecordingSessionConvertible {
  let requestId: String
  let config: AIAudioRecordingSessionConfig

  init(requestId: String, config: AIAudioRecordingSessionConfig) {
    self.requestId = requestId
    self.config = config
  }
}
