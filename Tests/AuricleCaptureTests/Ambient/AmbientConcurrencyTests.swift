import AuricleCapture
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@Suite("Ambient capture: concurrency and failure")
struct AmbientConcurrencyTests {
  @Test("B25: A withdrawal waits for a callback that is under way, and nothing follows", .timeLimit(.minutes(5)))
  func withdrawWaits() throws {
    let rig = try Rig.started()
    let (entered, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isWithdrawn = Guarded(false)
    rig.consumer.whenConsuming {
      entered.signal()
      leave.wait()
      #expect(!isWithdrawn.withLock { $0 })
    }
    let delivery = Thread { [source = rig.source] in _ = try? source.deliver([1]) }
    delivery.start()
    entered.wait()
    let done = DispatchSemaphore(value: 0)
    let withdrawal = Thread { [capture = rig.capture] in
      capture.withdraw()
      isWithdrawn.withLock { $0 = true }
      done.signal()
    }
    withdrawal.start()
    while rig.snapshot.reason != .withdrawn { usleep(1_000) }
    #expect(done.wait(timeout: .now() + 0.05) == .timedOut)
    #expect(rig.snapshot.owned == 1)
    leave.signal()
    done.wait()
    #expect(rig.snapshot.cleanupComplete)
    #expect(rig.source.calls == [.start(1), .stop])
  }

  @Test("B26: A lifecycle call from inside the consumer is refused, never a deadlock", .timeLimit(.minutes(5)))
  func reentrance() throws {
    let rig = try Rig.started()
    let kinds = Guarded([AmbientError.Kind?]())
    rig.consumer.whenConsuming { [capture = rig.capture] in
      let refused = [
        kind { try capture.pause() }, kind { try capture.start() }, kind { try capture.consent("p-1") },
        kind { try capture.deny("p-1") }, kind { try capture.changeParticipants(["x"]) },
      ]
      kinds.withLock { $0 = refused }
    }
    try rig.source.deliver([1])
    #expect(kinds.withLock { $0 } == [AmbientError.Kind?](repeating: .calledFromConsumer, count: 5))
    #expect(rig.snapshot.isCapturing)
    #expect(rig.snapshot.consent.granted == 2)
  }

  @Test("B26: A withdrawal or an interruption from inside the consumer shuts at once", .timeLimit(.minutes(5)))
  func shutFromInside() throws {
    for isWithdrawal in [true, false] {
      let rig = try Rig.started()
      rig.consumer.whenConsuming { [capture = rig.capture, source = rig.source] in
        isWithdrawal ? capture.withdraw() : capture.interrupt(.background)
        let late = try source.deliver([2], at: 1)
        #expect(late.isCleared)
      }
      try rig.source.deliver([1])
      #expect(rig.consumer.heardCount == 1)
      #expect(rig.snapshot.dropped == 0)
      #expect(!rig.source.isRunning)
    }
  }

  @Test("B27: A source that does not start leaves everything as it was")
  func startFails() throws {
    let rig = try Rig.agreed()
    rig.source.set(failsToStart: true)
    expectError(.sourceFailed) { try rig.capture.start() }
    #expect(rig.snapshot.reason == .notStarted)
    #expect(rig.source.calls == [.start(1)])
    rig.source.set(failsToStart: false)
    try rig.capture.start()
    #expect(rig.snapshot.isCapturing)
    try rig.capture.pause()
    rig.source.set(failsToStart: true)
    expectError(.sourceFailed) { try rig.capture.start(resuming: true) }
    #expect(rig.snapshot.reason == .paused)
  }

  @Test("B27: A consumer that throws ends admission, and the capture can resume")
  func consumerFails() throws {
    let rig = try Rig.started()
    rig.consumer.whenConsuming { throw RecordingConsumer.Failure() }
    let buffer = try rig.source.deliver([1])
    #expect(buffer.isCleared)
    #expect(rig.snapshot.reason == .consumerFailed)
    #expect(!rig.source.isRunning)
    rig.consumer.whenConsuming(nil)
    try rig.capture.start(resuming: true)
    #expect(rig.snapshot.isCapturing)
  }

  @Test("B27: A source that fails to clean up is never started again")
  func cleanupFails() throws {
    let rig = try Rig.started()
    rig.source.set(failsToStop: true)
    try rig.capture.pause()
    #expect(!rig.snapshot.isSourceCleanedUp)
    #expect(!rig.snapshot.cleanupComplete)
    rig.source.set(failsToStop: false)
    expectError(.cleanupFailed) { try rig.capture.start(resuming: true) }
    rig.capture.withdraw()
    #expect(!rig.snapshot.cleanupComplete)
  }

  @Test("B28: The end of a capture that listens stops its source")
  func deinitialize() throws {
    let source = ScriptedAmbientSource()
    do {
      let capture = try AmbientAudioCapture(
        sessionRef: "s", participants: ["p"], policy: AmbientSessionPolicy(revision: "r"), source: source,
        consumer: RecordingConsumer())
      try capture.consent("p")
      try capture.start()
      #expect(source.isRunning)
    }
    #expect(!source.isRunning)
  }

  @Test("An interruption from within the start is not lost")
  func interruptedWhileStarting() throws {
    let rig = try Rig.agreed()
    rig.source.whenStarting { $0.notify(.interrupted(.routeChange)) }
    try rig.capture.start()
    #expect(rig.snapshot.reason == .routeChange)
    #expect(!rig.source.isRunning)
  }

  private static let rounds = Int(ProcessInfo.processInfo.environment["AURICLE_RACE_ROUNDS"] ?? "") ?? 100

  @Test(
    "Random interleavings of everything keep every promise", .timeLimit(.minutes(5)), arguments: [1, 2, 3] as [UInt64])
  func interleavings(_ seed: UInt64) throws {
    for round in 0..<Self.rounds { try race(seed &* 1_000_003 &+ UInt64(round)) }
  }

  @Test(
    "A race that is planted into them is seen",
    .enabled(
      if: ProcessInfo.processInfo.environment["AURICLE_PLANTED_RACE"] != nil,
      "scripts/sanitize.sh runs it, and expects a report"),
    .timeLimit(.minutes(5)))
  func plantedRace() throws {
    for round in 0..<Self.rounds { try race(UInt64(round), planting: UnguardedCount()) }
  }

  /// Four threads at once: two deliver and tell events, two steer. Everything ends with a withdrawal.
  private func race(_ seed: UInt64, planting planted: UnguardedCount? = nil) throws {
    let rig = try Rig.started()
    let isWithdrawn = Guarded(false)
    let isHeardTooLate = Guarded(false)
    rig.consumer.whenConsuming {
      planted?.value += 1
      if isWithdrawn.withLock({ $0 }) { isHeardTooLate.withLock { $0 = true } }
    }
    atOnce(4) { index in
      var random = Steps(seed: seed &* 7 &+ UInt64(index))
      for step in 0..<40 {
        if index < 2 { deliver(rig, &random, step) } else { steer(rig, &random) }
        if index > 1 { planted?.value += 1 }
        // Also where there are fewer processors than threads, any of them may be the next.
        if random.next() % 4 == 0 { sched_yield() }
      }
      if index == 3 {
        rig.capture.withdraw()
        isWithdrawn.withLock { $0 = true }
      }
    }
    let snapshot = rig.snapshot
    #expect(!isHeardTooLate.withLock { $0 })
    #expect(snapshot.reason == .withdrawn)
    #expect(snapshot.cleanupComplete)
    #expect(snapshot.received == snapshot.cleared)
    #expect(snapshot.admitted == rig.consumer.heardCount)
    #expect(!rig.source.isRunning)
  }

  private func deliver(_ rig: Rig, _ random: inout Steps, _ step: Int) {
    let attempts = rig.source.attemptCount
    let attempt = Int(random.next() % UInt64(attempts))
    switch random.next() % 12 {
    case 0: rig.source.notify(.interrupted(.routeChange), attempt: attempt)
    case 1: rig.source.notify(.failed(.sourceFailed), attempt: attempt)
    default: _ = try? rig.source.deliver([1, 2, 3], at: Int64(step * 3), attempt: attempt)
    }
  }

  private func steer(_ rig: Rig, _ random: inout Steps) {
    switch random.next() % 6 {
    case 0: try? rig.capture.pause()
    case 1: rig.capture.interrupt(.background)
    case 2: _ = rig.snapshot
    default: try? rig.capture.start(resuming: true)
    }
  }
}

/// A number that any thread changes without a lock: the race that ThreadSanitizer has to see.
private final class UnguardedCount: @unchecked Sendable {
  var value = 0
}

/// Runs threads that begin together, and waits for all of them.
private func atOnce(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let (begin, end) = (DispatchSemaphore(value: 0), DispatchGroup())
  for index in 0..<count {
    end.enter()
    Thread.detachNewThread {
      begin.wait()
      body(index)
      end.leave()
    }
  }
  for _ in 0..<count { begin.signal() }
  end.wait()
}

/// A seeded row of numbers.
private struct Steps {
  private var state: UInt64
  init(seed: UInt64) { state = seed &* 6_364_136_223_846_793_005 &+ 1 }
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
