import Foundation

/// Does one thing after the other on a thread of its own, for who must not wait: a reader of standard output or a terminal
/// may be slow, or never come back.
///
/// Bounded: of the things in a slot only the newest waits, of the others so many, and of texts so many bytes.
final class ScreenLane: @unchecked Sendable {
  typealias Body = @Sendable () -> Void

  /// What is of use only as long as nothing newer is there; done when nothing else waits, in this order.
  enum Slot: CaseIterable {
    case sentence, status, tick
  }

  private struct Item {
    let byteCount: Int
    let body: Body
  }

  private struct State {
    var items: [Item] = []
    var slots: [Slot: Body] = [:]
    /// How many bytes of text wait.
    var byteCount = 0
    var isBusy = false
    /// Nobody waits for room: what finds none is dropped.
    var isRushed = false
    /// Nobody waits for anything, and nothing more is begun.
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []

    var isIdle: Bool { isClosed || items.isEmpty && slots.isEmpty && !isBusy }

    func hasRoom(for item: Item, below limit: Int) -> Bool {
      byteCount == 0 || byteCount + item.byteCount <= limit
    }

    mutating func next() -> Body? {
      if !items.isEmpty {
        let item = items.removeFirst()
        byteCount -= item.byteCount
        return item.body
      }
      return Slot.allCases.first { slots[$0] != nil }.flatMap { slots.removeValue(forKey: $0) }
    }
  }

  /// How many things may wait beside texts; more are dropped.
  private static let capacity = 1_024
  /// How many bytes of text may wait: the words of a day.
  private let byteLimit: Int

  // The rule that makes it safe: the state is touched only under the condition's lock. The test of its slots runs it from
  // many tasks under ThreadSanitizer.
  private let condition = NSCondition()
  private var state = State()

  /// Starts the thread. It ends after ``close()``.
  init(byteLimit: Int = 1 << 20) {
    self.byteLimit = byteLimit
    Thread.detachNewThread { self.work() }
  }

  /// Does something soon; not at all when too much waits.
  func post(_ body: @escaping Body) {
    change { state in
      if state.items.count < Self.capacity { state.items.append(Item(byteCount: 0, body: body)) }
    }
  }

  /// Does something soon, unless something newer comes into the same slot.
  func post(_ slot: Slot, _ body: @escaping Body) {
    change { $0.slots[slot] = body }
  }

  /// Writes a text of so many bytes soon; waits until it has room. Dropped where it finds none and nobody waits any more.
  func write(byteCount: Int, _ body: @escaping Body) async {
    let item = Item(byteCount: byteCount, body: body)
    while !add(item), !locked({ $0.isRushed }), !Task.isCancelled {
      await wait { $0.isRushed || $0.hasRoom(for: item, below: self.byteLimit) }
    }
  }

  /// - Returns: Whether it had room.
  private func add(_ item: Item) -> Bool {
    locked { state in
      guard state.hasRoom(for: item, below: byteLimit) else { return false }
      state.byteCount += item.byteCount
      state.items.append(item)
      return true
    }
  }

  /// Waits until everything is done.
  func drain() async { await wait { $0.isIdle } }

  /// From now on nobody waits for room.
  func rush() { change { $0.isRushed = true } }

  /// Gives up what waits. What is being done may go on for ever, and nobody waits for it.
  func close() {
    change { state in
      state.isClosed = true
      state.isRushed = true
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let waiters = locked { state in
      body(&state)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  private func locked<Value>(_ body: (inout State) -> Value) -> Value {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return body(&state)
  }

  /// Waits until something is so, the lane is closed, or the task is cancelled.
  private func wait(until isSo: @escaping @Sendable (State) -> Bool) async {
    while !locked({ $0.isClosed || isSo($0) }), !Task.isCancelled {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let mayGoOn = locked { state in
            if state.isClosed || isSo(state) || Task.isCancelled { return true }
            state.waiters.append(continuation)
            return false
          }
          if mayGoOn { continuation.resume() }
        }
      } onCancel: {
        change { _ in }
      }
    }
  }

  private func work() {
    while let body = take() {
      body()
      change { $0.isBusy = false }
    }
  }

  /// What is to be done next, as soon as there is something; `nil` at the end.
  private func take() -> Body? {
    condition.lock()
    defer { condition.unlock() }
    while !state.isClosed {
      if let body = state.next() {
        state.isBusy = true
        return body
      }
      condition.wait()
    }
    return nil
  }
}
