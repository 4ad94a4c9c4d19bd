import AuricleAudio

/// What is recorded and where to, once a session has started.
public struct OpenedRecording: Sendable, Hashable {
  /// The device; `nil` when it is none, or nobody knows.
  public let device: ReportDevice?
  /// The source as the user named it; `nil` for the standard microphone.
  public let source: String?
  /// The format of the recording.
  public let format: AudioFormat
  /// When the recording began.
  public let startTime: Timestamp
  /// The folder of the recording.
  public let folder: String
  /// The path of the audio.
  public let audioPath: String
}
