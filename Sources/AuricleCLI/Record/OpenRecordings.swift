import AuricleAudio
import AuricleSession
import Foundation

/// The recordings of the process whose files are not closed, so that one that must end at once leaves them whole.
enum OpenRecordings {
  private static let counter = OpenCounter()

  /// How long a process that must end at once waits for its files.
  private static let limit = 2.0

  /// A file is open.
  static func begin() { counter.add(1) }
  /// A file is closed.
  static func end() { counter.add(-1) }
  /// Waits until all are closed, but not for ever.
  static func waitUntilClosed() { counter.waitForZero(until: Date(timeIntervalSinceNow: limit)) }
}

/// How many files are open.
private final class OpenCounter: @unchecked Sendable {
  // The rule that makes it safe: the count is touched only while the condition is locked.
  private let condition = NSCondition()
  private var count = 0

  func add(_ step: Int) {
    condition.lock()
    defer { condition.unlock() }
    count += step
    condition.broadcast()
  }

  func waitForZero(until limit: Date) {
    condition.lock()
    defer { condition.unlock() }
    while count > 0, condition.wait(until: limit) {}
  }
}

/// A recording's file that is known to ``OpenRecordings`` until it is closed.
final class KnownFile: RecordingWriter {
  private let file: any RecordingWriter
  private let isClosed = StopSignal()

  init(_ file: any RecordingWriter) {
    self.file = file
    OpenRecordings.begin()
  }

  deinit { if !isClosed.isStopped { OpenRecordings.end() } }

  var format: AudioFormat { file.format }
  var frameCount: Int64 { file.frameCount }
  var byteCount: Int64 { file.byteCount }
  var freeByteCount: Int64? { file.freeByteCount }

  func append(_ block: PCMBlock) throws { try file.append(block) }
  func append(_ gap: AudioGap) throws { try file.append(gap) }
  func makeTail() -> any AudioSource { file.makeTail() }
  func makeTail(from frame: Int64) -> any AudioSource { file.makeTail(from: frame) }
  func keepTail(from frame: Int64?) { file.keepTail(from: frame) }
  func dropTails() { file.dropTails() }

  func finish() throws {
    defer {
      if !isClosed.isStopped {
        isClosed.stop()
        OpenRecordings.end()
      }
    }
    try file.finish()
  }
}
