/// An error of `AudioRecord` and what belongs to it, with the codes of MediaPipe's tasks.
public struct TasksError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong. The raw values are MediaPipe's.
  public enum Code: Int, Sendable, CaseIterable {
    /// A number does not fit.
    case invalidArgument = 3
    /// The source or a conversion failed.
    case internalError = 13
    /// The user said no.
    case audioRecordPermissionDenied = 17
    /// The user was not asked.
    case audioRecordPermissionUndetermined = 18
    /// The microphone runs, and nothing came yet.
    case audioRecordWaitingForNewMicInput = 19
    /// The microphone is not running.
    case audioRecordNotTappingMic = 20
    /// It is recording already. Ours: the original has no code of its own for it.
    case audioRecordAlreadyRecording = 1_001
  }

  /// What went wrong.
  public let code: Code
  /// One sentence for a person, without a line break.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The sentence for a person.
  public var description: String { message }
}
