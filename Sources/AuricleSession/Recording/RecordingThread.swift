import Foundation

/// A thread of its own for the tasks that must never wait for the shared pool, however busy that is.
///
/// Tasks with this executor as their preference, and the actors that they call, run on it one after the other.
public final class RecordingThread: TaskExecutor {
  private static let mark = "auricle.record"
  private let jobs = JobQueue()

  /// Whether the caller runs on such a thread.
  static var isCurrent: Bool { Thread.current.threadDictionary[mark] != nil }

  /// Starts the thread. It ends when the executor is no longer used.
  public init() {
    let thread = Thread { [jobs] in
      Thread.current.threadDictionary[Self.mark] = true
      while let job = jobs.next() { job.run() }
    }
    // For who looks with a debugger; Foundation does not always get it done.
    thread.name = "auricle.record"
    thread.qualityOfService = .userInteractive
    thread.start()
  }

  deinit { jobs.end() }

  /// Takes a job; for the runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    jobs.add(QueuedJob(job: UnownedJob(job), executor: asUnownedTaskExecutor()))
  }
}

/// A job and where it runs.
private struct QueuedJob: Sendable {
  let job: UnownedJob
  let executor: UnownedTaskExecutor

  func run() { job.runSynchronously(on: executor) }
}

/// Jobs in the order in which they came.
private final class JobQueue: @unchecked Sendable {
  // The rule that makes it safe: everything is touched under the condition's lock. The tests of RecordingThread run it
  // from many tasks under ThreadSanitizer.
  private let condition = NSCondition()
  private var jobs: [QueuedJob] = []
  private var isOver = false

  func add(_ job: QueuedJob) {
    condition.lock()
    defer { condition.unlock() }
    jobs.append(job)
    condition.signal()
  }

  /// Waits for a job; `nil` when there will be none.
  func next() -> QueuedJob? {
    condition.lock()
    defer { condition.unlock() }
    while jobs.isEmpty, !isOver { condition.wait() }
    return jobs.isEmpty ? nil : jobs.removeFirst()
  }

  func end() {
    condition.lock()
    defer { condition.unlock() }
    isOver = true
    condition.signal()
  }
}
