import AuricleAudio
import Foundation

/// Work that waits for a server, away from the threads that tasks share.
enum OwnThread {
  /// Runs the work on a thread of its own.
  static func run<T: Sendable>(
    _ work: @escaping @Sendable () throws(AudioError) -> T
  ) async throws(AudioError) -> T {
    let result: Result<T, AudioError> = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        do throws(AudioError) {
          continuation.resume(returning: .success(try work()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
