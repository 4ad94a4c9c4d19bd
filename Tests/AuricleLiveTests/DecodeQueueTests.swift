import AuricleRecognition
import Foundation
import Testing

@testable import AuricleLive

@Suite("The queue of decodes", .timeLimit(.minutes(2)))
struct DecodeQueueTests {
  /// Holds the only worker until released, so that what is submitted meanwhile waits.
  private final class Plug: Sendable {
    private let started = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)
    func hold() {
      started.signal()
      released.wait()
    }
    func release() { released.signal() }
    func waitUntilHeld() async {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          self.started.wait()
          continuation.resume()
        }
      }
    }
  }

  private final class Log: Sendable {
    private let names = Guarded<[String]>([])
    func add(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
  }

  @Test("The most urgent goes first, among equals the older; a hurried one is final, a withdrawn one never runs")
  func order() async {
    let queue = DecodeQueue(workerCount: 1)
    let (plug, log) = (Plug(), Log())
    let plugged = Task { await queue.run(.partial) { plug.hold() } }
    await plug.waitUntilHeld()
    let names: [(String, DecodeRequest.Urgency)] = [
      ("partial", .partial), ("late", .partial), ("gone", .final), ("first", .firstPartial), ("complete", .complete),
      ("final1", .final), ("final2", .final),
    ]
    let gone = Log()
    let tickets = names.map { name in
      queue.submit(name.1) {
        log.add(name.0)
      } completion: {
        if $0 == nil { gone.add(name.0) }
      }
    }
    #expect(queue.waitingCount == names.count)
    queue.hurry(tickets[1])
    queue.withdraw(tickets[2])
    plug.release()
    _ = await plugged.value
    await queue.run(.partial) {}
    #expect(gone.all == ["gone"])
    #expect(log.all == ["late", "final1", "final2", "complete", "first", "partial"])
  }

  @Test("Every request is answered once, from many tasks at once")
  func manyTasks() async {
    let queue = DecodeQueue(workerCount: 2)
    let answered = Counter()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<500 {
            let value: Int? = await withCheckedContinuation { continuation in
              let ticket = queue.submit(.partial) {
                index
              } completion: {
                continuation.resume(returning: $0)
              }
              if (task + index) % 3 == 0 { queue.withdraw(ticket) }
              if (task + index) % 5 == 0 { queue.hurry(ticket) }
            }
            if value == nil || value == index { answered.increment() }
          }
        }
      }
    }
    #expect(answered.count == 4_000)
  }
}
