import AuricleAudio
import Foundation

/// Opens a sound source, each time anew.
public struct RecordSource: Sendable {
  private let opening: @Sendable () throws -> any AudioSource

  /// Wraps what opens a source at once.
  public init(_ open: @escaping @Sendable () throws -> any AudioSource) { opening = open }

  /// Wraps what opens a source in its own time. Whoever starts a record lends their thread to it until it is open, so it
  /// needs none of the threads that tasks share.
  public static func waiting(for open: @escaping @Sendable () async throws -> any AudioSource) -> RecordSource {
    RecordSource { try CallingThread().run(open).get() }
  }

  func open() throws -> any AudioSource { try opening() }
}

/// Runs a task on the thread that waits for it.
private final class CallingThread: TaskExecutor {
  private let jobs = JobQueue()

  func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Result<Value, any Error> {
    let outcome = Outcome<Value>()
    // Owned by the caller, who runs it to its end.
    Task(executorPreference: self) { [jobs] in
      do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
      jobs.end()
    }
    while let job = jobs.next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    return outcome.result
  }

  func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job)) }
}

/// Jobs in the order in which they came.
private final class JobQueue: @unchecked Sendable {
  // The rule that makes it safe: everything is touched while the condition is held.
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []
  private var isOver = false

  func add(_ job: UnownedJob) {
    condition.withLock {
      jobs.append(job)
      condition.signal()
    }
  }

  /// No more will come. What is in it is still run.
  func end() {
    condition.withLock {
      isOver = true
      condition.signal()
    }
  }

  /// Waits for the next job; `nil` at the end.
  func next() -> UnownedJob? {
    condition.withLock {
      while jobs.isEmpty, !isOver { condition.wait() }
      return jobs.isEmpty ? nil : jobs.removeFirst()
    }
  }
}

/// What a task gave.
private final class Outcome<Value: Sendable>: @unchecked Sendable {
  // The rule that makes it safe: set by the task, read by the thread that ran the task to its end.
  private var stored: Result<Value, any Error>?
  func set(_ result: Result<Value, any Error>) { stored = result }
  var result: Result<Value, any Error> {
    guard let stored else { preconditionFailure("the task has ended") }
    return stored
  }
}
