/// How far a recording is: written by the recorder, read by anybody.
///
/// Threading: all of it may be used from any thread at any time. Nothing here waits for the disk.
public final class RecordingProgress: Sendable {
  /// How far a recording is, at one moment.
  public struct Snapshot: Sendable, Equatable {
    /// So many frames, at the source's rate, were given to the file, gaps included.
    public internal(set) var frameCount: Int64 = 0
    /// So many frames are on the disk for sure: they survive a loss of power. With FLAC and Opus, frames that the encoder
    /// may still hold are not counted before the end.
    public internal(set) var durableFrameCount: Int64 = 0
    /// The length of the audio file in bytes.
    public internal(set) var byteCount: Int64 = 0
    /// Free bytes on its disk when that was last looked at.
    public internal(set) var freeByteCount: Int64 = 0
    /// So many of the frames are gaps: silence stands in the file there.
    public internal(set) var missingFrameCount: Int64 = 0
    /// So many frames came twice and were left out.
    public internal(set) var repeatedFrameCount: Int64 = 0
    /// Why recording cannot go on; `nil` while it can.
    public internal(set) var failure: RecordingError?
    /// Nothing more will be written: the file is finished.
    public internal(set) var isEnded = false
  }

  private let ledger = Locked(RecordingLedger())

  init() {}

  /// How far the recording is now.
  public var current: Snapshot { ledger.withLock { $0.snapshot } }

  /// Waits until more frames than that are written, or the recording has failed or ended. It returns at once when it has;
  /// a loop over it ends with the first `failure` or `isEnded`.
  /// - Throws: `CancellationError` promptly when the task is cancelled.
  public func wait(beyond frameCount: Int64) async throws -> Snapshot {
    try await wait { ledger in
      let now = ledger.snapshot
      return now.frameCount > frameCount || now.isEnded || now.failure != nil ? now : nil
    }
  }

  /// Waits until the body has an answer; it is asked again after each change.
  func wait<Answer: Sendable>(until answer: (inout RecordingLedger) -> Answer?) async throws -> Answer {
    while true {
      try Task.checkCancellation()
      let (found, version) = ledger.withLock { (answer(&$0), $0.version) }
      if let found { return found }
      try await waitForChange(after: version)
    }
  }

  /// Changes something, and wakes whoever waits.
  func update<Answer>(_ change: (inout RecordingLedger) -> Answer) -> Answer {
    let (answer, wakeUps) = ledger.withLock { ledger in
      let answer = change(&ledger)
      return (answer, ledger.takeWakeUps())
    }
    for wakeUp in wakeUps { wakeUp.resume() }
    return answer
  }

  private func waitForChange(after version: Int) async throws {
    let id = ledger.withLock { $0.newWaiter() }
    defer { ledger.withLock { $0.forgetWaiter(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        ledger.withLock { $0.wait(id, after: version, continuation) }?.perform(continuation)
      }
    } onCancel: {
      ledger.withLock { $0.cancelWaiter(id) }?.resume(throwing: CancellationError())
    }
  }
}
