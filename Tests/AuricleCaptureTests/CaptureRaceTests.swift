import AuricleAudio
import AuricleConsent
import Foundation
import Synchronization
import Testing

@testable import AuricleCapture

@Suite(.timeLimit(.minutes(2))) struct CaptureRaceTests {
  /// How many frames a race moves: enough for the thread sanitizer to meet every interleaving that matters.
  private static let frameCount =
    ProcessInfo.processInfo.environment["AURICLE_RACE_SAMPLES"].flatMap(Int64.init) ?? 4_000_000

  @Test(
    "Producer, consumer, gate and onlooker at once: each frame comes out once, in its place",
    arguments: [(8, 4), (2_000, 4), (2_000, 1_024)])
  func race(_ capacity: Int, _ segmentCapacity: Int) async throws {
    let gate = try ConsentGate.opened()
    let ring = CaptureRing(
      format: try AudioFormat(sampleRate: 8_000, channelCount: 2), gate: gate,
      capacitySeconds: Double(capacity) / 8_000, segmentCapacity: segmentCapacity)
    let race = CaptureRace(ring: ring, frameCount: capacity < 100 ? Self.frameCount / 10 : Self.frameCount)
    async let flips = onThread { race.flip() }
    async let sums = onThread { race.look() }
    async let produced: Void = onThread { race.produce() }
    let seen = await onThread { race.consume() }
    await produced
    #expect(seen.faultCount == 0)
    #expect(seen.audio == ring.counts.accepted)
    #expect(seen.audio + seen.gaps == race.frameCount)
    #expect(ring.counts.offered == race.frameCount)
    #expect(await flips > 0)
    #expect(await sums > 0)
  }
}

/// The parts of a race, each for a thread of its own.
private final class CaptureRace: Sendable {
  struct Seen: Sendable {
    var audio: Int64 = 0
    var gaps: Int64 = 0
    var faultCount = 0
  }

  let ring: CaptureRing
  let frameCount: Int64
  private let isOver = Atomic(false)

  init(ring: CaptureRing, frameCount: Int64) {
    self.ring = ring
    self.frameCount = frameCount
  }

  func produce() {
    var sizes = SeededRandom(7)
    var done: Int64 = 0
    while done < frameCount {
      let count = min(Int64.random(in: 1...256, using: &sizes), frameCount - done)
      if Int.random(in: 0..<50, using: &sizes) == 0 {
        ring.miss(Int(count), .sourceLost)
      } else {
        ring.offer(samples(done..<done + count, channels: 2))
      }
      done += count
      if Int.random(in: 0..<4, using: &sizes) == 0 { sched_yield() }
    }
  }

  func consume() -> Seen {
    var sizes = SeededRandom(11)
    var seen = Seen()
    while seen.audio + seen.gaps < frameCount {
      let position = seen.audio + seen.gaps
      switch ring.next(maxFrames: Int.random(in: 1...300, using: &sizes)) {
      case .audio(let block):
        if block.startFrame != position || block.frameCount == 0 { seen.faultCount += 1 }
        if block.samples != samples(block.frames, channels: 2) { seen.faultCount += 1 }
        seen.audio += Int64(block.frameCount)
      case .gap(let gap):
        if gap.frames.lowerBound != position || gap.frames.isEmpty { seen.faultCount += 1 }
        seen.gaps += Int64(gap.frames.count)
      case .notice: seen.faultCount += 1
      case nil: sched_yield()
      }
    }
    isOver.store(true, ordering: .relaxed)
    return seen
  }

  /// Opens and shuts the gate until the race is over.
  func flip() -> Int {
    var count = 0
    while !isOver.load(ordering: .relaxed) || count == 0 {
      ring.gate.pause()
      sched_yield()
      ring.gate.resume()
      usleep(50)
      count += 1
    }
    return count
  }

  /// Reads what everybody may read.
  func look() -> Int {
    var count = 0
    var latest: Int64 = 0
    while !isOver.load(ordering: .relaxed) || count == 0 {
      let offered = ring.counts.offered
      if offered < latest { return 0 }
      latest = offered
      count += 1
      usleep(50)
    }
    return count
  }
}
