import AuricleSession

/// What a recording does. The page names no raw values; these follow its order behind an unknown of -1, as scenes have it.
public enum TSAIAudioRecordState: Int, Sendable, CaseIterable {
  /// Nobody knows.
  case unknown = -1
  /// Nothing is recorded.
  case idle = 0
  /// The source is being opened.
  case starting = 1
  /// Audio is taken, or somebody takes a break.
  case recording = 2
  /// The source is being closed.
  case stopping = 3
  /// The source was taken away.
  case interrupted = 4

  /// The core's state; TSAIKit has none for a pause, which is part of a recording.
  init(_ state: RecordingMachine.State) {
    switch state {
    case .unknown: self = .unknown
    case .idle: self = .idle
    case .starting: self = .starting
    case .recording, .paused: self = .recording
    case .stopping: self = .stopping
    case .interrupted: self = .interrupted
    }
  }
}
