import Synchronization

/// A lock-free ring of samples between one producer thread and one consumer thread.
///
/// Capacity is fixed. Nothing waits and nothing is allocated after creation: what does not fit is refused and reported
/// to the producer as a count, never overwritten. Neither side ever sees half of a write.
///
/// Threading: ``write(_:)`` is called from one thread at a time, ``read(into:)`` from one thread at a time; the two may
/// run at once.
public final class SampleRing: @unchecked Sendable {
  // The rule that makes it safe: the producer alone writes slots in writeIndex ..< readIndex + capacity and then
  // publishes them by a releasing store of writeIndex; the consumer alone reads slots in readIndex ..< writeIndex after
  // an acquiring load, and gives them back by a releasing store of readIndex. Indices only grow; a slot is index & mask.

  private let storage: UnsafeMutablePointer<Float>
  private let mask: Int
  private let writeIndex = Atomic<Int>(0)
  private let readIndex = Atomic<Int>(0)

  /// How many samples fit.
  public let capacity: Int

  /// Creates an empty ring.
  /// - Parameter minimumCapacity: How many samples must fit, 1…2^30; rounded up to a power of two.
  public init(minimumCapacity: Int) {
    precondition((1...(1 << 30)).contains(minimumCapacity), "a ring holds 1…2^30 samples")
    var size = 1
    while size < minimumCapacity { size <<= 1 }
    capacity = size
    mask = size - 1
    storage = .allocate(capacity: size)
    storage.initialize(repeating: 0, count: size)
  }

  deinit {
    storage.deinitialize(count: capacity)
    storage.deallocate()
  }

  /// How many samples wait to be read, 0…``capacity``.
  ///
  /// Exact while nothing runs; a lower bound for the consumer, an upper bound for the producer and for anybody else.
  public var availableToRead: Int {
    let head = readIndex.load(ordering: .acquiring)
    return min(writeIndex.load(ordering: .acquiring) - head, capacity)
  }

  /// Copies in what fits.
  ///
  /// Real-time safe: no allocation, no lock, no system call.
  /// - Returns: How many samples were taken, from the front of `samples`; the caller counts the rest as dropped.
  public func write(_ samples: UnsafeBufferPointer<Float>) -> Int {
    let tail = writeIndex.load(ordering: .relaxed)
    let free = capacity - (tail - readIndex.load(ordering: .acquiring))
    let count = min(free, samples.count)
    guard count > 0, let source = samples.baseAddress else { return 0 }
    let first = min(count, capacity - (tail & mask))
    Self.copy(first, from: source, to: storage + (tail & mask))
    Self.copy(count - first, from: source + first, to: storage)
    writeIndex.store(tail + count, ordering: .releasing)
    return count
  }

  /// Copies out what is there.
  ///
  /// - Returns: How many samples were written to the front of `destination`.
  public func read(into destination: UnsafeMutableBufferPointer<Float>) -> Int {
    let head = readIndex.load(ordering: .relaxed)
    let ready = writeIndex.load(ordering: .acquiring) - head
    let count = min(ready, destination.count)
    guard count > 0, let target = destination.baseAddress else { return 0 }
    let first = min(count, capacity - (head & mask))
    Self.copy(first, from: storage + (head & mask), to: target)
    Self.copy(count - first, from: storage, to: target + first)
    readIndex.store(head + count, ordering: .releasing)
    return count
  }

  /// Copies samples by a loop of our own, which the optimizer turns into a block copy.
  ///
  /// The standard library's copy runs where the thread sanitizer does not look, and would hide a race from it.
  private static func copy(
    _ count: Int, from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count { target[index] = source[index] }
  }
}
