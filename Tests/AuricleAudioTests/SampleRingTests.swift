import AuricleAudio
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct SampleRingTests {
  private func write(_ samples: [Float], to ring: SampleRing) -> Int {
    samples.withUnsafeBufferPointer { ring.write($0) }
  }

  private func read(_ count: Int, from ring: SampleRing) -> [Float] {
    var samples = [Float](repeating: -1, count: count)
    let taken = samples.withUnsafeMutableBufferPointer { ring.read(into: $0) }
    return Array(samples.prefix(taken))
  }

  @Test("The capacity is the next power of two", arguments: [(1, 1), (2, 2), (3, 4), (1_000, 1_024), (1_024, 1_024)])
  func capacity(_ minimum: Int, _ capacity: Int) {
    #expect(SampleRing(minimumCapacity: minimum).capacity == capacity)
  }

  @Test("Samples come out in the order in which they went in, also around the end")
  func order() {
    let ring = SampleRing(minimumCapacity: 4)
    for start in stride(from: Float(0), to: 60, by: 3) {
      #expect(write([start, start + 1, start + 2], to: ring) == 3)
      #expect(ring.availableToRead == 3)
      #expect(read(3, from: ring) == [start, start + 1, start + 2])
    }
  }

  @Test("What does not fit is refused and counted, and nothing is overwritten")
  func full() {
    let ring = SampleRing(minimumCapacity: 4)
    #expect(write([1, 2, 3], to: ring) == 3)
    #expect(write([4, 5, 6], to: ring) == 1)
    #expect(write([7], to: ring) == 0)
    #expect(ring.availableToRead == 4)
    #expect(read(10, from: ring) == [1, 2, 3, 4])
    #expect(read(10, from: ring) == [])
  }

  @Test("Nothing in, nothing out")
  func empty() {
    let ring = SampleRing(minimumCapacity: 4)
    #expect(write([], to: ring) == 0)
    #expect(read(0, from: ring) == [])
    #expect(ring.availableToRead == 0)
  }

  @Test("The ring does what a simple queue does", arguments: 1...20 as ClosedRange<UInt64>)
  func behavesLikeAQueue(_ seed: UInt64) {
    var random = SeededRandom(seed)
    let ring = SampleRing(minimumCapacity: Int.random(in: 1...64, using: &random))
    var model: [Float] = []
    var next: Float = 0
    for _ in 0..<2_000 {
      if Bool.random(using: &random) {
        let samples = (0..<Int.random(in: 0...80, using: &random)).map { next + Float($0) }
        let taken = write(samples, to: ring)
        #expect(taken == min(samples.count, ring.capacity - model.count))
        model += samples.prefix(taken)
        next += Float(taken)
      } else {
        let count = Int.random(in: 0...80, using: &random)
        #expect(read(count, from: ring) == Array(model.prefix(count)))
        model.removeFirst(min(count, model.count))
      }
      #expect(ring.availableToRead == model.count)
    }
  }

  /// How many samples the race moves: enough for the thread sanitizer to meet every interleaving that matters.
  private static let raceSampleCount =
    ProcessInfo.processInfo.environment["AURICLE_RACE_SAMPLES"].flatMap(Int.init) ?? 1_000_000

  @Test("Two threads at once lose nothing, repeat nothing and tear nothing", arguments: [1, 64, 4_096])
  func race(_ capacity: Int) async {
    let ring = SampleRing(minimumCapacity: capacity)
    let total = capacity == 1 ? Self.raceSampleCount / 20 : Self.raceSampleCount
    async let wrong = onThread { consume(total, from: ring) }
    async let wrote = onThread { produce(total, to: ring) }
    #expect(await wrong == 0)
    #expect(await wrote == total)
    #expect(ring.availableToRead == 0)
  }
}

/// Runs on a thread of its own: both ends of a race spin, and must not wait for each other's turn in a pool.
private func onThread(_ body: @escaping @Sendable () -> Int) async -> Int {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

/// Sample *n* is *n* modulo 2^20, which a float holds exactly.
private func sample(_ index: Int) -> Float { Float(index & 0xF_FFFF) }

private func produce(_ total: Int, to ring: SampleRing) -> Int {
  var sizes = SeededRandom(7)
  var done = 0
  let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 512)
  defer { buffer.deallocate() }
  while done < total {
    let count = min(Int.random(in: 1...512, using: &sizes), total - done)
    for index in 0..<count { buffer[index] = sample(done + index) }
    let taken = ring.write(UnsafeBufferPointer(rebasing: buffer[..<count]))
    done += taken
    if taken == 0 { sched_yield() }
  }
  return done
}

/// Reads all of it, and counts the samples that are not the ones that must come next.
private func consume(_ total: Int, from ring: SampleRing) -> Int {
  var sizes = SeededRandom(11)
  var done = 0
  var wrong = 0
  let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 512)
  defer { buffer.deallocate() }
  while done < total {
    let room = UnsafeMutableBufferPointer(rebasing: buffer[..<Int.random(in: 1...512, using: &sizes)])
    let count = ring.read(into: room)
    for index in 0..<count where room[index] != sample(done + index) { wrong += 1 }
    done += count
    if count == 0 { sched_yield() }
  }
  return wrong
}
