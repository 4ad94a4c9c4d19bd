import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

/// One device, and one real session after the other with it.
private struct Changeover: Sendable {
  let device = ScriptedDevice()
  let coordinator: DeviceCoordinator
  let random = SharedRandom(seed: 8)
  let news = Diary<DeviceNews>()

  init() {
    device.set { [random] (command) throws(DeviceError) in
      await random.wait()
      guard case .start = command, random.next(below: 12) == 0 else { return }
      throw DeviceError(.failed, "by chance")
    }
    coordinator = DeviceCoordinator(
      device: device, policy: DevicePolicy(grace: .milliseconds(3)), eligibility: DeviceEligibility([]))
    coordinator.listen { [news] in news.note($0) }
  }

  /// Has every fourth session asked for by the device.
  /// - Returns: The request's id.
  func ask(_ round: Int) async -> String? {
    guard round % 4 == 0 else { return nil }
    let request = DeviceStartRequest(id: "\(round)", scene: .onSite)
    device.press(request)
    await news.wait(for: .startRequested(request))
    return request.id
  }

  /// Begins a session; where the request was withdrawn, or the device is away, as soon as it may.
  func start(_ session: RecordingSession, _ requestID: String?) async {
    var requestID = requestID
    let before = generation
    while generation == before {
      do throws(SessionFailure) {
        try await coordinator.start(session, answering: requestID)
      } catch {
        requestID = nil
        if generation == before { try? await Task.sleep(for: .milliseconds(1)) }
      }
    }
  }

  private var generation: Int { coordinator.guarded.withLock { $0.lifecycle.generation } }

  /// Sound, and one thing that may happen to it.
  func play(_ session: RecordingSession) async {
    for _ in 0..<3 {
      device.hear(1_600)
      await random.wait()
    }
    switch random.next(below: 8) {
    case 0:
      device.goAway()
      await random.wait()
      device.comeBack()
      device.hear(1_600)
    case 1: device.interrupt(.incomingCall)
    case 2: device.say(.stopRequested)
    case 3: session.stop()
    case 4: session.cancel()
    case 5:
      coordinator.pause()
      await random.wait()
      coordinator.resume()
    default: break
    }
    await random.wait()
  }

  /// Waits until the device is there, everything that it said was heard, and nothing is under way.
  func settle(_ round: Int) async {
    coordinator.stop()
    let mark = StopReason(rawValue: round, name: "round")
    device.say(.recordingEnded(mark))
    await news.wait(for: .normalRecordingEnded(mark))
    #expect(await eventually { coordinator.state == .idle })
  }
}

@Suite("One session after the other with a device", .timeLimit(.minutes(10)))
struct DeviceSlotTests {
  /// How often: a sample, unless somebody wants more.
  private static var rounds: Int { Int(ProcessInfo.processInfo.environment["AURICLE_DEVICE_ROUNDS"] ?? "") ?? 100 }

  @Test("§2, §8: Device, provider and timers late at random: no result crosses from one session to another")
  func rounds() async throws {
    let changeover = Changeover()
    let sessions = RecordingSlotTests()
    let counts = Guarded((started: 0, failed: 0, finished: 0))
    let sentences = Guarded(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for round in 0..<Self.rounds {
        let bench = try sessions.makeBench(round, changeover.random)
        var environment = bench.environment
        environment.openInput = { try await changeover.coordinator.openInput($0, $1) }
        let session = RecordingSession(bench.configuration, environment: environment)
        group.addTask {
          await sessions.read(session, round, bench, counts)
          let count = session.report?.transcripts.count ?? 0
          sentences.withLock { $0 += count }
        }
        let requestID = await changeover.ask(round)
        async let start: Void = changeover.start(session, requestID)
        // Every third one ends at any moment of its start.
        if round % 3 == 0 { await changeover.random.wait() } else { await start }
        await changeover.play(session)
        if round % 3 == 0 { changeover.coordinator.stop() }
        await start
        await changeover.settle(round)
      }
      try await group.waitForAll()
    }
    let (all, seen) = (Self.rounds, counts.withLock { $0 })
    #expect(seen.started + seen.failed == all && seen.finished == seen.started && seen.started > all / 2)
    #expect(sentences.withLock { $0 } > all / 2)
    await changeover.coordinator.close()
    #expect(changeover.device.listenerCount == 0)
  }
}
