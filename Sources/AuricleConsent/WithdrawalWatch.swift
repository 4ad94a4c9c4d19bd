import Foundation

/// Waits for a withdrawal of consent, for as long as it is held.
public final class WithdrawalWatch: Sendable {
  private let list: WithdrawalList
  private let number: Int

  init(_ list: WithdrawalList, _ number: Int) {
    self.list = list
    self.number = number
  }

  /// Waits no more.
  deinit { list.remove(number) }
}

/// Who wants to be told of a withdrawal. It is told once.
final class WithdrawalList: @unchecked Sendable {
  // The rule that makes it safe: what changes is touched only while the lock is held. ConsentGateTests runs it from many
  // threads under ThreadSanitizer.
  private let lock = NSLock()
  private var isWithdrawn = false
  private var nextNumber = 0
  private var bodies: [Int: @Sendable () -> Void] = [:]

  /// Takes a body, or calls it at once when it is too late.
  func add(_ body: @escaping @Sendable () -> Void) -> Int {
    lock.lock()
    let (number, isLate) = (nextNumber, isWithdrawn)
    nextNumber += 1
    if !isLate { bodies[number] = body }
    lock.unlock()
    if isLate { body() }
    return number
  }

  func remove(_ number: Int) { lock.withLock { bodies[number] = nil } }

  /// Tells everybody, outside of the lock, in the order in which they came.
  func withdraw() {
    lock.lock()
    isWithdrawn = true
    let waiting = bodies.sorted { $0.key < $1.key }.map(\.value)
    bodies = [:]
    lock.unlock()
    for body in waiting { body() }
  }
}
