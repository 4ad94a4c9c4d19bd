import AuricleCallbacks
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@Suite("The lane of callbacks", .timeLimit(.minutes(5)))
struct CallbackLaneTests {
  @Test("§10: Callbacks come on the main queue by default")
  func mainQueue() async {
    let isMain = Guarded(false)
    await CallbackLane().call {
      dispatchPrecondition(condition: .onQueue(.main))
      isMain.withLock { $0 = true }
    }
    #expect(isMain.withLock { $0 })
  }

  @Test("§10: The queue can be set, also between callbacks")
  func otherQueue() async {
    let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
    let lane = CallbackLane(queue: first)
    await lane.call { dispatchPrecondition(condition: .onQueue(first)) }
    lane.queue = second
    await lane.call { dispatchPrecondition(condition: .onQueue(second)) }
  }

  @Test("Callbacks keep their order and run one at a time, even on a concurrent queue")
  func order() async {
    let lane = CallbackLane(queue: DispatchQueue(label: "many", attributes: .concurrent))
    // Not guarded by anything but the lane.
    let seen = Box<[Int]>([])
    let callback = HostCallback<Int> { seen.value.append($0) }
    for number in 0..<500 { lane.post { callback(number) } }
    await lane.call {}
    let numbers = await withCheckedContinuation { continuation in
      lane.post { continuation.resume(returning: seen.value.map { $0 }) }
    }
    #expect(numbers == Array(0..<500))
  }

  @Test("Many callers at once: every callback runs once, one at a time")
  func crowd() async {
    let lane = CallbackLane(queue: DispatchQueue(label: "many", attributes: .concurrent))
    let seen = Box(0)
    let callback = HostCallback<Void> { _ in seen.value += 1 }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<100 { await lane.call { callback(()) } } }
      }
    }
    let count = await withCheckedContinuation { continuation in
      lane.post { continuation.resume(returning: seen.value) }
    }
    #expect(count == 800)
  }

  @Test("A callback that calls is not inside its own call: the other one comes after it")
  func reentrant() async {
    let lane = CallbackLane(queue: DispatchQueue(label: "one"))
    let seen = Guarded<[String]>([])
    await withCheckedContinuation { continuation in
      lane.post {
        lane.post {
          seen.withLock { $0.append("inner") }
          continuation.resume()
        }
        seen.withLock { $0.append("outer") }
      }
    }
    #expect(seen.withLock { $0 } == ["outer", "inner"])
  }

  @Test("Who calls waits until the callback has returned")
  func waits() async {
    let lane = CallbackLane(queue: DispatchQueue(label: "one"))
    let isDone = Guarded(false)
    await lane.call {
      Thread.sleep(forTimeInterval: 0.05)
      isDone.withLock { $0 = true }
    }
    #expect(isDone.withLock { $0 })
  }
}

/// A value that nothing guards, so that ThreadSanitizer sees whether something else does.
final class Box<Value>: @unchecked Sendable {
  // The rule that makes it safe: it is touched only from callbacks of one lane.
  var value: Value
  init(_ value: Value) { self.value = value }
}
