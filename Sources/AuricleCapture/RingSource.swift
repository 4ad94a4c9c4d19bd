import AuricleAudio
import Dispatch
import Synchronization

/// A ring's audio as a source: looks into the ring at short intervals, and ends when the producer says so.
///
/// The producer's thread must wake nobody, so the reader looks by itself.
public actor RingSource<PollClock: Clock>: AudioSource where PollClock.Duration == Duration {
  /// The ring's format.
  public nonisolated let format: AudioFormat
  /// Nobody can know.
  public nonisolated let expectedFrameCount: Int64? = nil
  /// What the producer offers to.
  public nonisolated let ring: CaptureRing
  private nonisolated let ending = AtomicLazyReference<Ending>()
  private nonisolated let events = EventQueue()
  /// The frame behind what was delivered.
  private var delivered: Int64 = 0
  /// Waits before the next look.
  private let pause: @Sendable () async throws -> Void

  /// Wraps a ring, from which nobody else may read.
  /// - Parameters:
  ///   - ring: What the producer offers to.
  ///   - clock: What measures the interval.
  ///   - interval: How long to wait before looking again into an empty ring.
  public init(_ ring: CaptureRing, clock: PollClock, interval: Duration = .milliseconds(10)) {
    self.init(ring) { try await clock.sleep(until: clock.now.advanced(by: interval), tolerance: nil) }
  }

  fileprivate init(_ ring: CaptureRing, pause: @escaping @Sendable () async throws -> Void) {
    self.ring = ring
    self.pause = pause
    format = ring.format
  }

  /// Tells the reader that the producer has stopped, after its last packet; what is in the ring is still delivered.
  ///
  /// From any thread; the first call decides. It allocates, so it is not for the path that offers.
  /// - Parameter error: Why; `nil` for a normal end.
  public nonisolated func finish(throwing error: AudioError? = nil) {
    _ = ending.storeIfNil(Ending(error))
  }

  /// Tells the reader of an event, behind the frames that were offered so far; left out after the end, and where 256
  /// wait already.
  ///
  /// From any thread. It locks, so it is not for the path that offers.
  public nonisolated func note(_ event: CaptureEvent) {
    if ending.load() == nil { events.add(event, at: ring.counts.offered) }
  }

  /// Waits until the ring holds something.
  ///
  /// See `AudioSource.next(maxFrames:)`. A cancelled wait loses nothing.
  /// - Throws: What ``finish(throwing:)`` said, once the ring is empty, and ever after; `CancellationError`.
  public func next(maxFrames: Int) async throws -> AudioChunk? {
    while true {
      try Task.checkCancellation()
      // In this order: whatever was offered before the end is in the ring when the end is seen.
      let ending = ending.load()
      if let event = events.take(upTo: delivered) { return .notice(AudioNotice(event)) }
      if let chunk = nextOfRing(maxFrames) { return chunk }
      if let ending {
        if let error = ending.error { throw error }
        return nil
      }
      try await pause()
    }
  }

  /// What comes next, cut where an event has its place; a gap is not cut.
  private func nextOfRing(_ maxFrames: Int) -> AudioChunk? {
    let room = events.nextFrame.map { Int(clamping: $0 - delivered) } ?? maxFrames
    guard let chunk = ring.next(maxFrames: max(1, min(maxFrames, room))) else { return nil }
    switch chunk {
    case .audio(let block): delivered = block.frames.upperBound
    case .gap(let gap): delivered = gap.frames.upperBound
    case .notice: break
    }
    return chunk
  }
}

extension RingSource where PollClock == ContinuousClock {
  /// Wraps a ring, and looks into it each 10 ms, however busy the threads are that tasks share.
  public init(_ ring: CaptureRing) {
    self.init(ring) { await RingTimer.wait() }
  }
}

/// Wakes readers from a thread of its own: a sleeping task's wake-up would have to wait for a thread of the shared pool.
private enum RingTimer {
  // A serial queue that targets no other has a thread of its own when it needs one.
  private static let queue = DispatchQueue(label: "auricle.ring", qos: .userInteractive)

  static func wait() async {
    await withCheckedContinuation { continuation in
      queue.asyncAfter(deadline: .now() + .milliseconds(10)) { continuation.resume() }
    }
  }
}

/// How a producer ended.
private final class Ending: Sendable {
  let error: AudioError?
  init(_ error: AudioError?) { self.error = error }
}
