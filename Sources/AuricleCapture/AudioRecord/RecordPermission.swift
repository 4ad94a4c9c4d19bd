import Foundation

/// What the system says about listening, for systems that ask nobody, such as Linux: there the host answers.
public struct RecordPermission: Sendable {
  private let answer: @Sendable () -> CapturePermission

  /// Creates a permission.
  /// - Parameter answer: Asked at each start, on the thread of the caller.
  public init(_ answer: @escaping @Sendable () -> CapturePermission) { self.answer = answer }

  /// What it says now.
  public var status: CapturePermission { answer() }

  /// Nobody was asked.
  public static let undetermined = RecordPermission { .undetermined }
  /// It is allowed.
  public static let granted = RecordPermission { .granted }
  /// It is refused.
  public static let denied = RecordPermission { .denied }
}

/// What an ``AudioRecord`` takes from the world when it is not given its own: set it once, before the first record.
public struct AudioRecordHost: Sendable {
  /// What the system says.
  public var permission: RecordPermission
  /// Opens the microphone; called on the thread that starts a record, and may take its time.
  public var openSource: RecordSource

  /// Creates a host.
  public init(permission: RecordPermission, openSource: RecordSource) {
    self.permission = permission
    self.openSource = openSource
  }

  /// The host of this process. Undetermined permission and no microphone, until somebody sets it.
  public static var current: AudioRecordHost {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }

  private static let lock = NSLock()
  // The rule that makes it safe: touched only while the lock is held.
  nonisolated(unsafe) private static var stored = AudioRecordHost(
    permission: .undetermined,
    openSource: RecordSource {
      throw TasksError(.internalError, "no microphone is set up; set AudioRecordHost.current")
    })
}
