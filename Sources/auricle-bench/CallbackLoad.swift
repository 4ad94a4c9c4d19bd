import AuricleAudio
import AuricleCapture
import AuricleConsent
import Foundation

/// What 10 ms of stereo cost in a device's callback: through the gated ring, and through a ring with a lock; in turns,
/// while a reader takes them out on another thread.
struct CallbackLoad {
  /// Times of one packet, in nanoseconds: medians over the rounds.
  struct Times: Encodable {
    let median: Double
    let p999: Double
    let worst: Double

    /// Medians of each figure.
    init(over rounds: [Times]) {
      func middle(_ figures: [Double]) -> Double { figures.sorted()[figures.count / 2] }
      median = middle(rounds.map(\.median))
      p999 = middle(rounds.map(\.p999))
      worst = middle(rounds.map(\.worst))
    }

    /// Of the packets of one round.
    init(of nanoseconds: [UInt64]) {
      let sorted = nanoseconds.sorted().map { Double($0) }
      median = sorted[sorted.count / 2]
      p999 = sorted[sorted.count * 999 / 1_000]
      worst = sorted[sorted.count - 1]
    }
  }

  /// What was measured.
  struct Figures: Encodable {
    let roundCount: Int
    let packetCount: Int
    let ring: Times
    let refused: Times
    let lockAndCopy: Times
  }

  let roundCount = 15
  let packetCount = 20_000

  func run() throws -> Figures {
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 2)
    let packet = [Float](repeating: 0.25, count: 480 * 2)
    var rounds: (ring: [Times], refused: [Times], locked: [Times]) = ([], [], [])
    for _ in 0..<roundCount {
      let gate = ConsentGate()
      try gate.grant(ConsentRecord(participants: ["bench"], grantedAtMilliseconds: 0, policyRevision: "1"))
      let ring = CaptureRing(format: format, gate: gate)
      let drain: @Sendable () -> Void = { while ring.next(maxFrames: 4_096) != nil {} }
      rounds.ring.append(measure(packet, drain) { ring.offer($0) })
      gate.pause()
      rounds.refused.append(measure(packet, drain) { ring.offer($0) })
      let locked = LockAndCopyRing(capacity: 1 << 20)
      rounds.locked.append(measure(packet, { while !locked.read(4_096 * 2).isEmpty {} }, { locked.write($0) }))
    }
    return Figures(
      roundCount: roundCount, packetCount: packetCount, ring: Times(over: rounds.ring),
      refused: Times(over: rounds.refused), lockAndCopy: Times(over: rounds.locked))
  }

  private func measure(
    _ packet: [Float], _ drain: @escaping @Sendable () -> Void, _ offer: (UnsafeBufferPointer<Float>) -> Void
  ) -> Times {
    let reader = Thread {
      while !Thread.current.isCancelled {
        drain()
        usleep(100)
      }
    }
    reader.start()
    defer { reader.cancel() }
    var times = [UInt64](repeating: 0, count: packetCount)
    packet.withUnsafeBufferPointer { packet in
      for index in times.indices {
        let start = DispatchTime.now().uptimeNanoseconds
        offer(packet)
        times[index] = DispatchTime.now().uptimeNanoseconds - start
        // The reader gets its turn, as it does between the packets of a device.
        if index.isMultiple(of: 100) { usleep(100) }
      }
    }
    return Times(of: times)
  }
}

/// What the gated ring is measured against: the same copy, under a lock.
private final class LockAndCopyRing: @unchecked Sendable {
  // The rule that makes it safe: everything is touched under the lock.
  private let lock = NSLock()
  private let storage: UnsafeMutableBufferPointer<Float>
  private var head = 0
  private var count = 0

  init(capacity: Int) {
    storage = .allocate(capacity: capacity)
    storage.initialize(repeating: 0)
  }

  deinit { storage.deallocate() }

  func write(_ samples: UnsafeBufferPointer<Float>) {
    lock.lock()
    defer { lock.unlock() }
    guard let source = samples.baseAddress, let target = storage.baseAddress else { return }
    let taken = min(samples.count, storage.count - count)
    let start = (head + count) % storage.count
    let first = min(taken, storage.count - start)
    (target + start).update(from: source, count: first)
    target.update(from: source + first, count: taken - first)
    count += taken
  }

  func read(_ wanted: Int) -> [Float] {
    lock.lock()
    defer { lock.unlock() }
    let taken = min(wanted, count, storage.count - head)
    let read = Array(storage[head..<head + taken])
    head = (head + taken) % storage.count
    count -= taken
    return read
  }
}
