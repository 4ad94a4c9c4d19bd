/// A device's wish that a recording begins, made with a button for instance.
public struct DeviceStartRequest: Sendable, Hashable {
  /// What the device calls the request; no two requests of one connection have the same.
  public let id: String
  /// Where people speak.
  public let scene: SessionConfiguration.Scene
  /// Which of its inputs the device means, by its name; `nil` for the only or the usual one.
  public let channel: String?

  /// Describes a request.
  public init(id: String, scene: SessionConfiguration.Scene, channel: String? = nil) {
    self.id = id
    self.scene = scene
    self.channel = channel
  }
}

/// What a device asks and tells.
public enum DeviceEvent: Sendable, Hashable {
  /// It wants a recording to begin.
  case startRequested(DeviceStartRequest)
  /// It wants the recording to end.
  case stopRequested
  /// It wants a break.
  case pauseRequested
  /// It wants the break to end.
  case resumeRequested
  /// It cannot go on, since something else needs it or its battery is nearly empty.
  case interrupted(InterruptionReason)
  /// Its memory is full.
  case storageFull
  /// It is gone; it may come back.
  case disconnected
  /// It is back.
  case reconnected
  /// It failed, and does not go on.
  case failed(DeviceError)
  /// A normal recording on it has ended, for a reason.
  case recordingEnded(StopReason)
}
