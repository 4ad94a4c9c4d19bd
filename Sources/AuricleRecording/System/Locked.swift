import Foundation

/// A value that one thread at a time may touch.
///
/// Made of a lock that ThreadSanitizer sees: of `Synchronization.Mutex` it sees nothing on Linux.
final class Locked<Value: Sendable>: @unchecked Sendable {
  // The rule that makes it safe: the value is touched only while the lock is held. The tests of Recorder and TailSource
  // run it from many tasks under ThreadSanitizer.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Lends the value to one caller at a time. Not to be called from inside the body.
  func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
