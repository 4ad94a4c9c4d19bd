import AuricleRecognition
import Foundation

/// Decodes for all sessions of one model: a few threads, and the most urgent request first.
///
/// Each session has at most one request for a partial and a bounded number for whole segments, so the queue is bounded by
/// the number of sessions.
public final class DecodeQueue: Sendable {
  /// Names a request among those of all sessions.
  package struct Ticket: Hashable, Sendable {
    let number: Int
  }

  private struct Job: Sendable {
    let ticket: Ticket
    var urgency: DecodeRequest.Urgency
    let work: @Sendable () -> Void
    let dropped: @Sendable () -> Void

    /// Finals before all else, and among equals the older one.
    func goesBefore(_ other: Job) -> Bool {
      (urgency.rawValue, ticket.number) < (other.urgency.rawValue, other.ticket.number)
    }
  }

  private struct State: Sendable {
    var jobs: [Job] = []
    var nextNumber = 0
    var isClosed = false

    mutating func takeMostUrgent() -> Job? {
      guard let first = jobs.indices.min(by: { jobs[$0].goesBefore(jobs[$1]) }) else { return nil }
      return jobs.remove(at: first)
    }
  }

  /// What the threads share with the queue, so that they do not keep the queue itself alive.
  private final class Shared: Sendable {
    let state = Guarded(State())
    let ready = DispatchSemaphore(value: 0)
  }

  private let shared = Shared()
  private let workerCount: Int

  /// Starts the threads.
  /// - Parameter workerCount: How many decodes may run at once; at least 1.
  public init(workerCount: Int) {
    precondition(workerCount > 0, "a queue needs a worker")
    self.workerCount = workerCount
    for _ in 0..<workerCount {
      let thread = Thread { [shared] in Self.work(shared) }
      thread.name = "auricle.decode"
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  deinit {
    let orphans = shared.state.withLock { state in
      state.isClosed = true
      defer { state.jobs = [] }
      return state.jobs
    }
    for orphan in orphans { orphan.dropped() }
    for _ in 0..<workerCount { shared.ready.signal() }
  }

  /// Has work done on one of the threads. Returns at once.
  /// - Parameter completion: Called once with what the work gave, on the thread that did it; with `nil` when it was
  ///   withdrawn before it began, by whoever withdrew it.
  @discardableResult
  package func submit<T: Sendable>(
    _ urgency: DecodeRequest.Urgency, _ work: @escaping @Sendable () -> T,
    completion: @escaping @Sendable (T?) -> Void
  ) -> Ticket {
    let ticket = shared.state.withLock { state in
      defer { state.nextNumber += 1 }
      let ticket = Ticket(number: state.nextNumber)
      state.jobs.append(
        Job(ticket: ticket, urgency: urgency, work: { completion(work()) }, dropped: { completion(nil) }))
      return ticket
    }
    shared.ready.signal()
    return ticket
  }

  /// Has work done on one of the threads, and waits for it.
  package func run<T: Sendable>(_ urgency: DecodeRequest.Urgency, _ work: @escaping @Sendable () -> T) async -> T? {
    await withCheckedContinuation { continuation in
      submit(urgency, work) { continuation.resume(returning: $0) }
    }
  }

  /// How many requests wait.
  var waitingCount: Int { shared.state.withLock { $0.jobs.count } }

  /// Makes a waiting request a final one. Harmless when it runs or has run.
  package func hurry(_ ticket: Ticket) {
    shared.state.withLock { state in
      guard let index = state.jobs.firstIndex(where: { $0.ticket == ticket }) else { return }
      state.jobs[index].urgency = .final
    }
  }

  /// Drops a request that still waits. Harmless when it runs or has run.
  package func withdraw(_ ticket: Ticket) {
    let job = shared.state.withLock { state -> Job? in
      guard let index = state.jobs.firstIndex(where: { $0.ticket == ticket }) else { return nil }
      return state.jobs.remove(at: index)
    }
    job?.dropped()
  }

  private static func work(_ shared: Shared) {
    while true {
      shared.ready.wait()
      let (job, isClosed) = shared.state.withLock { ($0.takeMostUrgent(), $0.isClosed) }
      // A withdrawn request leaves its signal behind: then there is nothing to take.
      job?.work()
      if isClosed && job == nil { return }
    }
  }
}
