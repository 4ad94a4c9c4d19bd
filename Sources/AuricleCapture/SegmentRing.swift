import AuricleAudio
import AuricleConsent
import Synchronization

/// What becomes of a run of frames.
enum SegmentKind: UInt8, Sendable {
  case audio, noConsent, paused, consentWithdrawn, overrun, sourceLost

  /// What becomes of frames that come while the gate is in a state; `nil` where they pass.
  init?(refusedIn state: ConsentGate.State) {
    switch state {
    case .open: return nil
    case .closed: self = .noConsent
    case .paused: self = .paused
    case .withdrawn: self = .consentWithdrawn
    }
  }

  /// Why the frames are missing; `nil` where they are there.
  var gapReason: AudioGap.Reason? {
    switch self {
    case .audio: nil
    case .noConsent: .noConsent
    case .paused: .paused
    case .consentWithdrawn: .consentWithdrawn
    case .overrun: .overrun
    case .sourceLost: .sourceLost
    }
  }
}

/// Where a run of frames of one kind starts; it lasts until the next one.
struct Segment {
  let start: Int64
  let kind: SegmentKind
}

/// A lock-free ring of segments between one producer thread and one consumer thread, of fixed capacity.
final class SegmentRing: @unchecked Sendable {
  // The rule that makes it safe is that of SampleRing: the producer alone writes slots in writeIndex ..< readIndex +
  // capacity and then publishes them by a releasing store; the consumer alone reads those in readIndex ..< writeIndex.

  private let storage: UnsafeMutablePointer<Segment>
  private let mask: Int
  private let writeIndex = Atomic<Int>(0)
  private let readIndex = Atomic<Int>(0)

  /// Creates an empty ring.
  /// - Parameter capacity: How many segments fit; a power of two, at least 2.
  init(capacity: Int) {
    precondition(capacity >= 2 && capacity.nonzeroBitCount == 1, "a capacity is a power of two")
    mask = capacity - 1
    storage = .allocate(capacity: capacity)
    storage.initialize(repeating: Segment(start: 0, kind: .audio), count: capacity)
  }

  deinit { storage.deallocate() }

  /// For the producer: how many more fit, at least.
  var freeCount: Int {
    mask + 1 - (writeIndex.load(ordering: .relaxed) - readIndex.load(ordering: .acquiring))
  }

  /// For the producer. Call it only while something fits.
  func push(_ segment: Segment) {
    let tail = writeIndex.load(ordering: .relaxed)
    storage[tail & mask] = segment
    writeIndex.store(tail + 1, ordering: .releasing)
  }

  /// For the consumer: the oldest segment.
  var first: Segment? {
    let head = readIndex.load(ordering: .relaxed)
    guard head < writeIndex.load(ordering: .acquiring) else { return nil }
    return storage[head & mask]
  }

  /// For the consumer. Call it only after ``first`` gave a segment.
  func removeFirst() {
    readIndex.store(readIndex.load(ordering: .relaxed) + 1, ordering: .releasing)
  }
}
