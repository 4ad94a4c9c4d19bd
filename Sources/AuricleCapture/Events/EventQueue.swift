import AuricleAudio
import Foundation

/// Events that wait for their place in a stream. At most ``capacity`` wait; further ones are left out.
final class EventQueue: @unchecked Sendable {
  // The rule that makes it safe: everything is touched while the lock is held.

  /// How many events wait for a reader that is late.
  static let capacity = 256

  private let lock = NSLock()
  private var waiting: [(frame: Int64, event: CaptureEvent)] = []

  /// Puts an event behind the frames before a frame. Frames must not go backwards.
  func add(_ event: CaptureEvent, at frame: Int64) {
    lock.withLock {
      guard waiting.count < Self.capacity else { return }
      waiting.append((max(frame, waiting.last?.frame ?? 0), event))
    }
  }

  /// Takes the first event whose place is reached.
  func take(upTo frame: Int64) -> CaptureEvent? {
    lock.withLock {
      guard let first = waiting.first, first.frame <= frame else { return nil }
      return waiting.removeFirst().event
    }
  }

  /// The place of the first event.
  var nextFrame: Int64? { lock.withLock { waiting.first?.frame } }
}
