import AuricleAudio

/// What the recorder tells its readers, and who of them waits. A value behind one lock.
struct RecordingLedger: Sendable {
  typealias Continuation = CheckedContinuation<Void, any Error>

  /// What becomes of somebody who is about to wait.
  enum WaitAnswer {
    /// Something has changed already.
    case changed
    /// The task was cancelled before it waited.
    case cancelled

    func perform(_ continuation: Continuation) {
      switch self {
      case .changed: continuation.resume()
      case .cancelled: continuation.resume(throwing: CancellationError())
      }
    }
  }

  var snapshot = RecordingProgress.Snapshot()
  /// What is told to the readers of the audio.
  var tail = TailLedger()
  /// Counts the changes.
  private(set) var version = 0
  private var latestWaiter = 0
  private var waiting: [Int: Continuation] = [:]
  private var cancelled: Set<Int> = []

  mutating func newWaiter() -> Int {
    latestWaiter += 1
    return latestWaiter
  }

  /// Keeps a continuation until the next change. `nil`: it is kept; else it goes on at once.
  mutating func wait(_ id: Int, after version: Int, _ continuation: Continuation) -> WaitAnswer? {
    if cancelled.contains(id) { return .cancelled }
    if version != self.version { return .changed }
    waiting[id] = continuation
    return nil
  }

  mutating func cancelWaiter(_ id: Int) -> Continuation? {
    if let continuation = waiting.removeValue(forKey: id) { return continuation }
    cancelled.insert(id)
    return nil
  }

  mutating func forgetWaiter(_ id: Int) { cancelled.remove(id) }

  mutating func takeWakeUps() -> [Continuation] {
    version += 1
    guard !waiting.isEmpty else { return [] }
    defer { waiting.removeAll(keepingCapacity: true) }
    return Array(waiting.values)
  }
}

/// What the readers of the audio of a recording under way may know.
struct TailLedger: Sendable {
  /// What a reader at a frame finds.
  enum Piece: Sendable {
    /// Audio, up to that frame.
    case audio(end: Int64)
    case gap(Range<Int64>, AudioGap.Reason)
    case end
    case failure(AudioError)
  }

  /// So many frames can be read.
  var readableFrameCount: Int64 = 0
  /// Where there is no audio.
  var gaps = GapList()
  /// Why nothing more can be read behind the readable frames.
  var failure: AudioError?
  /// The file that is read is gone.
  var isDropped = false
  /// Everything before this frame was given back to the disk.
  private(set) var releasedFrame: Int64 = 0
  /// Everything from this frame on stays, whoever has read it; `nil` for nothing.
  private var keptFrame: Int64?
  private var positions: [Int: Int64] = [:]
  private var latestReader = 0

  /// A reader comes, who begins at a frame.
  mutating func addReader(at frame: Int64) -> Int {
    latestReader += 1
    positions[latestReader] = max(releasedFrame, frame)
    return latestReader
  }

  mutating func removeReader(_ id: Int) { positions[id] = nil }

  /// A reader is through with everything before a frame.
  /// - Returns: What no reader needs any more, once it is long enough to be worth a call.
  mutating func advance(_ id: Int, to frame: Int64, releasing least: Int64) -> Range<Int64>? {
    positions[id] = frame
    return release(least)
  }

  /// Everything from a frame on is kept; `nil` keeps what readers need.
  /// - Returns: What nobody needs any more, once it is long enough to be worth a call.
  mutating func keep(from frame: Int64?, releasing least: Int64) -> Range<Int64>? {
    keptFrame = frame
    return release(least)
  }

  private mutating func release(_ least: Int64) -> Range<Int64>? {
    let needed = min(positions.values.min() ?? .max, keptFrame ?? .max, readableFrameCount)
    // While nobody reads or keeps anything, somebody may still come.
    guard !positions.isEmpty || keptFrame != nil, needed - releasedFrame >= least else { return nil }
    defer { releasedFrame = needed }
    return releasedFrame..<needed
  }

  /// What a reader at a frame finds; `nil`: nothing yet.
  func piece(at frame: Int64, isEnded: Bool) -> Piece? {
    if isDropped, let failure { return .failure(failure) }
    if frame < releasedFrame { return .gap(frame..<releasedFrame, .overrun) }
    if frame < readableFrameCount {
      let piece = gaps.piece(at: frame, end: readableFrameCount)
      return piece.reason.map { .gap(piece.frames, $0) } ?? .audio(end: piece.frames.upperBound)
    }
    if let failure { return .failure(failure) }
    return isEnded ? .end : nil
  }
}
