import Foundation

/// Work that blocks for long, away from the threads that tasks share.
enum OwnThread {
  /// What the engine needs, in bytes.
  static let stackSize = 8 << 20

  /// Runs the work on a thread of its own.
  static func run<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: work()) }
      thread.name = "auricle.model"
      thread.stackSize = stackSize
      thread.start()
    }
  }
}
