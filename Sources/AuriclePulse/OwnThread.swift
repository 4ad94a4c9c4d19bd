import AuricleAudio
import Foundation

/// Work that waits for a server, away from the threads that tasks share.
enum OwnThread {
  /// Runs the work on a thread of its own.
  static func run<T: Sendable>(
    _ work: @escaping @Sendable () throws(AudioError) -> T
  ) async throws(AudioError) -> T {
    let outcome = Outcome<T>()
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        do throws(AudioError) {
          outcome.set(.success(try work()))
        } catch {
          outcome.set(.failure(error))
        }
        continuation.resume()
      }
    }
    return try outcome.take().get()
  }
}

/// What a thread hands to a task. The lock is for ThreadSanitizer, which does not see the continuation order the two.
private final class Outcome<T: Sendable>: @unchecked Sendable {
  // The rule that makes it safe: the result is touched only while the lock is held.
  private let lock = NSLock()
  private var result: Result<T, AudioError>?

  func set(_ result: Result<T, AudioError>) { lock.withLock { self.result = result } }

  func take() -> Result<T, AudioError> {
    let result = lock.withLock {
      defer { self.result = nil }
      return self.result
    }
    guard let result else { preconditionFailure("the thread has set it") }
    return result
  }
}
