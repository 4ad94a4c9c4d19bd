import AuricleAudio
import AuricleConsent
import Synchronization

/// The way from a device's callback to a reader, and the only thing that writes captured samples into memory.
///
/// Each packet meets the gate first: what the gate refuses is counted and not even looked at. What does not fit is
/// counted as well. Whatever is not taken comes out as a gap of exactly its frames, in its place.
///
/// Threading: ``offer(_:)`` and ``miss(_:_:)`` are called from one thread at a time, ``next(maxFrames:)`` from one
/// thread at a time; the two sides may run at once, and ``counts`` is for everybody.
public final class CaptureRing: @unchecked Sendable {
  // The rule that makes it safe: `current` belongs to the producer, `reading` and `delivered` to the consumer.
  // The producer pushes where a segment starts, then its samples, then publishes the frame behind them by a releasing
  // store of `offered`. The consumer acquires `offered` first: what lies before it is there to be read.

  /// Why a device lost frames that it should have offered.
  public enum Loss: Sendable {
    /// The device or its server could not keep up.
    case overrun
    /// The device was away, or has a hole there.
    case sourceLost
  }

  /// The format of what is offered.
  public let format: AudioFormat
  /// What each packet meets first.
  public let gate: ConsentGate

  private let samples: SampleRing
  private let segments: SegmentRing
  private let offered = Atomic<Int64>(0)
  private let accepted = Atomic<Int64>(0)
  private let refused = Atomic<Int64>(0)
  private let overrun = Atomic<Int64>(0)
  private let deviceLost = Atomic<Int64>(0)
  private var current: SegmentKind?
  private var reading: SegmentKind?
  private var delivered: Int64 = 0

  /// Creates an empty ring; nothing is allocated by its producer afterwards.
  /// - Parameters:
  ///   - format: The format of what will be offered.
  ///   - gate: What each packet meets first.
  ///   - capacitySeconds: How much audio fits at least, above 0; a reader may be that late before frames are lost.
  public convenience init(format: AudioFormat, gate: ConsentGate, capacitySeconds: Double = 10) {
    self.init(format: format, gate: gate, capacitySeconds: capacitySeconds, segmentCapacity: 1_024)
  }

  /// Creates an empty ring that can hold so many changes between audio and gaps.
  init(format: AudioFormat, gate: ConsentGate, capacitySeconds: Double, segmentCapacity: Int) {
    precondition(capacitySeconds > 0, "a ring holds some time")
    self.format = format
    self.gate = gate
    let frameCount = max(1, format.frames(seconds: capacitySeconds))
    samples = SampleRing(minimumCapacity: Int(clamping: frameCount) * format.channelCount)
    segments = SegmentRing(capacity: segmentCapacity)
  }

  /// What became of the frames so far.
  public var counts: CaptureCounts {
    CaptureCounts(
      accepted: accepted.load(ordering: .relaxed), refused: refused.load(ordering: .relaxed),
      overrun: overrun.load(ordering: .relaxed), deviceLost: deviceLost.load(ordering: .relaxed))
  }
}

// The producer's side. Real-time safe: no allocation, no lock, no system call, no waiting.
extension CaptureRing {
  /// Takes what the gate lets pass and what fits; the rest becomes a gap.
  /// - Parameter packet: Whole frames, interleaved, at ``format``.
  public func offer(_ packet: UnsafeBufferPointer<Float>) {
    let frameCount = packet.count / format.channelCount
    assert(packet.count == frameCount * format.channelCount, "a packet holds whole frames")
    if let refusal = SegmentKind(refusedIn: gate.state) { return lose(frameCount, as: refusal) }
    let taken = take(packet, min(frameCount, freeFrameCount))
    lose(frameCount - taken, as: .overrun)
  }

  /// Notes frames that the device lost; where the gate is not open, they are refused frames like all others.
  /// - Parameters:
  ///   - frameCount: How many.
  ///   - loss: Why.
  public func miss(_ frameCount: Int, _ loss: Loss) {
    let kind: SegmentKind = loss == .overrun ? .overrun : .sourceLost
    lose(frameCount, as: SegmentKind(refusedIn: gate.state) ?? kind, countedIn: .device)
  }

  private var freeFrameCount: Int { (samples.capacity - samples.availableToRead) / format.channelCount }

  /// - Returns: How many frames were taken.
  private func take(_ packet: UnsafeBufferPointer<Float>, _ frameCount: Int) -> Int {
    guard frameCount > 0, enter(.audio) == .audio else { return 0 }
    let written = samples.write(UnsafeBufferPointer(rebasing: packet[..<(frameCount * format.channelCount)]))
    assert(written == frameCount * format.channelCount, "the room was there")
    accepted.add(frameCount)
    offered.add(frameCount)
    return frameCount
  }

  private enum LossCount { case ring, device }

  private func lose(_ frameCount: Int, as wanted: SegmentKind, countedIn count: LossCount = .ring) {
    guard frameCount > 0 else { return }
    switch enter(wanted) {
    case .noConsent, .paused, .consentWithdrawn: refused.add(frameCount)
    case .overrun where count == .ring: overrun.add(frameCount)
    case .overrun, .sourceLost: deviceLost.add(frameCount)
    case .audio: preconditionFailure("audio always leaves room for the start of a gap")
    }
    offered.add(frameCount)
  }

  /// Starts a segment unless it is under way.
  ///
  /// Audio starts only if the gap after it can start as well; so audio can always be left, and without room for a new
  /// segment it is a gap that goes on.
  /// - Returns: The kind that is under way now.
  private func enter(_ kind: SegmentKind) -> SegmentKind {
    if let current, current == kind || segments.freeCount < (kind == .audio ? 2 : 1) { return current }
    segments.push(Segment(start: offered.load(ordering: .relaxed), kind: kind))
    current = kind
    return kind
  }
}

// The consumer's side.
extension CaptureRing {
  /// What comes next, if anything is there: audio, or a gap. A gap that is still under way comes in pieces, which follow
  /// on from each other.
  /// - Parameter maxFrames: The most frames that a block may hold; at least 1. A gap may be of any length.
  public func next(maxFrames: Int) -> AudioChunk? {
    precondition(maxFrames >= 1, "a block holds at least one frame")
    let published = offered.load(ordering: .acquiring)
    guard delivered < published else { return nil }
    if let segment = segments.first, segment.start == delivered {
      reading = segment.kind
      segments.removeFirst()
    }
    let end = min(segments.first?.start ?? published, published)
    guard let reading else { preconditionFailure("frames come in segments") }
    guard let reason = reading.gapReason else { return .audio(read(min(maxFrames, Int(clamping: end - delivered)))) }
    defer { delivered = end }
    return .gap(AudioGap(frames: delivered..<end, sampleRate: format.sampleRate, reason: reason))
  }

  private func read(_ frameCount: Int) -> PCMBlock {
    let count = frameCount * format.channelCount
    let read = [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = samples.read(into: UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
    }
    assert(read.count == count, "what is published is there")
    defer { delivered += Int64(frameCount) }
    return PCMBlock(format: format, startFrame: delivered, samples: read)
  }
}

extension Atomic<Int64> {
  /// For the only thread that writes: adds, and publishes everything written before.
  fileprivate borrowing func add(_ frameCount: Int) {
    store(load(ordering: .relaxed) + Int64(frameCount), ordering: .releasing)
  }
}
