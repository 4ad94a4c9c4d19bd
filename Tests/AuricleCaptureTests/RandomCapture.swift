import AuricleAudio
import AuricleConsent

@testable import AuricleCapture

/// A ring to which random things happen, and what must come out of it.
struct RandomCapture {
  /// What was seen that must not be.
  private(set) var faults: [String] = []
  private var random: SeededRandom
  private let gate: ConsentGate
  private let ring: CaptureRing
  private let channels: Int
  /// Never more notes of changes than fit, so that each gap's reason is known.
  private let isRoomy: Bool
  /// What each offered frame may come out as.
  private var allowed: [Set<AudioGap.Reason?>] = []
  private var position: Int64 = 0

  init(seed: UInt64) throws {
    random = SeededRandom(seed)
    channels = Int.random(in: 1...3, using: &random)
    isRoomy = seed.isMultiple(of: 2)
    gate = ConsentGate()
    ring = CaptureRing(
      format: try AudioFormat(sampleRate: 8_000, channelCount: channels), gate: gate,
      capacitySeconds: Double(Int.random(in: 1...200, using: &random)) / 8_000, segmentCapacity: isRoomy ? 8_192 : 4)
  }

  mutating func step() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<40: offer(Int.random(in: 0...80, using: &random))
    case 40..<50: miss(Int.random(in: 0...40, using: &random))
    case 50..<90: take(Int.random(in: 1...100, using: &random))
    case 90..<94: gate.pause()
    case 94..<99: gate.resume()
    default:
      let record = try? ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: "1")
      if let record { try? gate.grant(record) }
    }
  }

  /// Reads the rest, and looks at the whole.
  mutating func finish() {
    if Bool.random(using: &random) { gate.withdraw() }
    offer(50)
    while let chunk = ring.next(maxFrames: 7) { check(chunk) }
    if position != Int64(allowed.count) { faults.append("\(position) of \(allowed.count) frames came out") }
    if ring.counts.offered != position { faults.append("counts say \(ring.counts.offered)") }
  }

  private mutating func offer(_ count: Int) {
    let start = Int64(allowed.count)
    ring.offer(samples(start..<start + Int64(count), channels: channels))
    let reason = gate.state.gapReason
    allow(reason.map { [$0] } ?? [nil, .overrun], count)
  }

  private mutating func miss(_ count: Int) {
    let isOverrun = Bool.random(using: &random)
    ring.miss(count, isOverrun ? .overrun : .sourceLost)
    allow([gate.state.gapReason ?? (isOverrun ? .overrun : .sourceLost)], count)
  }

  private mutating func allow(_ reasons: Set<AudioGap.Reason?>, _ count: Int) {
    // With little room for changes, any gap may go on for longer; but refused audio never comes out.
    let anyGap: Set<AudioGap.Reason?> = [.noConsent, .paused, .overrun, .sourceLost]
    allowed += Array(repeating: isRoomy ? reasons : reasons.union(anyGap), count: count)
  }

  private mutating func take(_ maxFrames: Int) {
    if let chunk = ring.next(maxFrames: maxFrames) { check(chunk) }
  }

  private mutating func check(_ chunk: AudioChunk) {
    switch chunk {
    case .audio(let block):
      if block.samples != samples(block.frames, channels: channels) { faults.append("wrong samples at \(position)") }
      advance(block.frames, nil)
    case .gap(let gap): advance(gap.frames, gap.reason)
    case .notice: faults.append("a notice")
    }
  }

  private mutating func advance(_ frames: Range<Int64>, _ reason: AudioGap.Reason?) {
    if frames.lowerBound != position || frames.isEmpty { faults.append("\(frames) at \(position)") }
    if frames.upperBound > Int64(allowed.count) { return faults.append("\(frames) was not offered") }
    if frames.contains(where: { !allowed[Int($0)].contains(reason) }) { faults.append("\(frames) as \(reason as Any)") }
    position = frames.upperBound
  }
}
