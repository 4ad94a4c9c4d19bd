import AuricleAudio
import AuricleConsent
import Testing

@testable import AuricleCapture

@Suite struct CaptureRingTests {
  private let mono = AudioFormat.speech

  private func gap(_ frames: Range<Int64>, _ reason: AudioGap.Reason) -> AudioChunk {
    .gap(AudioGap(frames: frames, sampleRate: 16_000, reason: reason))
  }

  private func audio(_ start: Int64, _ samples: [Float]) -> AudioChunk {
    .audio(PCMBlock(format: mono, startFrame: start, samples: samples))
  }

  @Test("Each state of the gate makes its own gap, and audio only passes the open one")
  func gateStates() throws {
    let gate = ConsentGate()
    let ring = CaptureRing(format: mono, gate: gate)
    ring.offer([1, 2])
    try gate.grant(ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: "1"))
    ring.offer([3, 4, 5])
    gate.pause()
    ring.offer([6])
    ring.miss(2, .sourceLost)
    gate.resume()
    ring.miss(1, .sourceLost)
    ring.miss(1, .overrun)
    ring.offer([7])
    gate.withdraw()
    ring.offer([8])
    let wanted = [
      gap(0..<2, .noConsent), audio(2, [3, 4, 5]), gap(5..<8, .paused), gap(8..<9, .sourceLost),
      gap(9..<10, .overrun), audio(10, [7]), gap(11..<12, .consentWithdrawn),
    ]
    #expect(ring.drain() == wanted)
    #expect(ring.counts == CaptureCounts(accepted: 4, refused: 6, overrun: 0, deviceLost: 2))
    #expect(ring.counts.offered == 12)
  }

  @Test("What does not fit is a gap from exactly where it begins")
  func overrun() throws {
    let ring = CaptureRing(format: mono, gate: try .opened(), capacitySeconds: 4 / 16_000)
    ring.offer([1, 2, 3])
    ring.offer([4, 5, 6])
    ring.offer([7])
    #expect(ring.next(maxFrames: 2) == audio(0, [1, 2]))
    ring.offer([8, 9, 10])
    #expect(ring.drain() == [audio(2, [3, 4]), gap(4..<7, .overrun), audio(7, [8, 9]), gap(9..<10, .overrun)])
    #expect(ring.counts == CaptureCounts(accepted: 6, refused: 0, overrun: 4, deviceLost: 0))
  }

  @Test("A gap under way comes in pieces that follow on from each other")
  func gapUnderWay() throws {
    let gate = try ConsentGate.opened()
    let ring = CaptureRing(format: mono, gate: gate)
    gate.pause()
    ring.offer([1, 2])
    #expect(ring.drain() == [gap(0..<2, .paused)])
    ring.offer([3])
    #expect(ring.drain() == [gap(2..<3, .paused)])
    #expect(ring.next(maxFrames: 1) == nil)
  }

  @Test("Only whole frames are taken when the room ends within one")
  func wholeFrames() throws {
    let format = try AudioFormat(sampleRate: 8_000, channelCount: 3)
    let ring = CaptureRing(format: format, gate: try .opened(), capacitySeconds: 1 / 8_000)
    ring.offer([1, 2, 3, 4, 5, 6])
    let block = PCMBlock(format: format, startFrame: 0, samples: [1, 2, 3])
    #expect(ring.drain() == [.audio(block), .gap(AudioGap(frames: 1..<2, sampleRate: 8_000, reason: .overrun))])
  }

  @Test("When changes come faster than they can be noted, audio becomes part of the gap, and nothing is misplaced")
  func manyChanges() throws {
    let gate = try ConsentGate.opened()
    let ring = CaptureRing(format: mono, gate: gate, capacitySeconds: 1, segmentCapacity: 4)
    for _ in 0..<5 {
      gate.resume()
      ring.offer([1])
      gate.pause()
      ring.offer([2])
    }
    let wanted = [audio(0, [1]), gap(1..<2, .paused), audio(2, [1]), gap(3..<10, .paused)]
    #expect(ring.drain() == wanted)
    #expect(ring.counts == CaptureCounts(accepted: 2, refused: 8, overrun: 0, deviceLost: 0))
    gate.resume()
    ring.offer([3])
    #expect(ring.drain() == [audio(10, [3])])
  }

  @Test("Nothing offered is nothing to read")
  func empty() throws {
    let ring = CaptureRing(format: mono, gate: try .opened())
    ring.offer([])
    ring.miss(0, .overrun)
    #expect(ring.drain() == [])
    #expect(ring.counts.offered == 0)
  }

  @Test(
    "Whatever happens in whatever sizes, each frame comes out once, in its place",
    arguments: 1...60 as ClosedRange<UInt64>)
  func everyFrameOnce(_ seed: UInt64) throws {
    var world = try RandomCapture(seed: seed)
    for _ in 0..<2_000 { world.step() }
    world.finish()
    #expect(world.faults == [])
  }

  @Test("The page's example does what it says")
  func documentationExample() {
    let gate = ConsentGate()
    let ring = CaptureRing(format: .speech, gate: gate)
    [Float](repeating: 0.5, count: 160).withUnsafeBufferPointer { ring.offer($0) }
    let chunk = ring.next(maxFrames: 1_024)
    #expect(chunk == gap(0..<160, .noConsent))
  }
}
