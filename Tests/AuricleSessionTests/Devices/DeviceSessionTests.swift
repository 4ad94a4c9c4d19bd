import AuricleAudio
import AuricleConsent
import AuricleRecognition
import AuricleTestKit
import Testing

@testable import AuricleSession

/// A real session whose audio a scripted device sends.
private struct RealBench: Sendable {
  let device = ScriptedDevice(id: "pendant", name: "A pendant")
  let clock = ManualClock()
  let coordinator: DeviceCoordinator
  let session: RecordingSession
  let bench: SessionBench

  init(handling: DeviceLifecycle.Handling = .automatic, wantsTranscript: Bool = true) throws {
    let bench = try SessionBench(wantsTranscript: wantsTranscript)
    let coordinator = DeviceCoordinator(
      device: device, policy: DevicePolicy(handling: handling), eligibility: DeviceEligibility([]), clock: clock)
    var environment = bench.environment
    environment.openInput = { try await coordinator.openInput($0, $1) }
    (self.bench, self.coordinator) = (bench, coordinator)
    session = RecordingSession(bench.configuration, environment: environment)
  }

  /// Lets the device hear so many tenths of a second, and waits until they are written.
  func hear(tenths: Int, upTo frame: Int64) async -> Bool {
    for _ in 0..<tenths {
      clock.advance(by: .milliseconds(100))
      device.hear(1_600)
    }
    return await eventually { bench.writer.frameCount >= frame }
  }

  var events: [String] { session.report?.sessionEvents.map(\.event) ?? [] }
}

@Suite("A device and a real session", .timeLimit(.minutes(10)))
struct DeviceSessionTests {
  @Test("§8: What a device sends becomes text and a report that names the device")
  func whole() async throws {
    let real = try RealBench()
    try await real.coordinator.start(real.session)
    #expect(real.device.isSending && real.session.state == .recording)
    #expect(await real.hear(tenths: 30, upTo: 48_000))
    real.coordinator.stop()
    let seen = await real.session.seen()
    #expect(seen.finals == ["Ask not what.", "Ask what you."] && seen.finishCount == 1 && seen.isFinishLast)
    #expect(seen.report.stopReason == .userInitiated && seen.report.audio.duration == 3)
    #expect(seen.report.device == ReportDevice(name: "pendant", description: "A pendant") && seen.report.gaps.isEmpty)
    #expect(real.device.calls == [.start(.onSite), .stop(.onSite)])
    #expect(await eventually { real.coordinator.state == .idle })
  }

  @Test("§8: A device that asked for it is told of start and stop, once each")
  func asked() async throws {
    let real = try RealBench()
    let news = Diary<DeviceNews>()
    real.coordinator.listen { news.note($0) }
    real.device.press(DeviceBench.request)
    await news.wait(for: .startRequested(DeviceBench.request))
    try await real.coordinator.start(real.session, answering: "1")
    #expect(await real.hear(tenths: 30, upTo: 48_000))
    real.device.say(.stopRequested)
    let seen = await real.session.seen()
    await news.wait(for: .finished(.userInitiated))
    #expect(seen.report.stopReason == .userInitiated)
    #expect(await eventually { real.device.calls.count == 4 })
    #expect(real.device.calls == [.start(.onSite), .reportStarted(.onSite), .stop(.onSite), .reportStopped])
  }

  @Test(
    "§7, §8: Coming back within the grace goes on in the same session with the gap marked, transcribed or not",
    arguments: [true, false])
  func away(_ wantsTranscript: Bool) async throws {
    let real = try RealBench(wantsTranscript: wantsTranscript)
    try await real.coordinator.start(real.session)
    #expect(await real.hear(tenths: 10, upTo: 16_000))
    real.device.goAway()
    // The source and the coordinator wait for it, each with its own clock.
    await real.clock.waitForSleepers(2)
    real.clock.advance(by: .seconds(7))
    real.device.comeBack()
    await real.device.waitForOpening(2)
    #expect(await real.hear(tenths: 1, upTo: 129_600))
    #expect(await real.hear(tenths: 9, upTo: 144_000))
    real.coordinator.stop()
    let report = await real.session.seen().report
    #expect(report.gaps.map(\.reason) == ["sourceLost"])
    #expect(report.gaps.map(\.start) == [1] && report.gaps.map(\.end) == [8])
    #expect(report.audio.duration == 9 && report.activeDuration == 2 && report.stopReason == .userInitiated)
    #expect(real.events.contains("bleDisconnected"))
    #expect(report.sessionEvents.first { $0.event == "bleDisconnected" }?.details == ["device": "pendant"])
  }

  @Test(
    "§7, §8: Staying away for longer ends the stream as disconnected, where the sound ended, transcribed or not",
    arguments: [true, false])
  func lost(_ wantsTranscript: Bool) async throws {
    let real = try RealBench(wantsTranscript: wantsTranscript)
    try await real.coordinator.start(real.session)
    #expect(await real.hear(tenths: 10, upTo: 16_000))
    real.device.goAway()
    await real.clock.waitForSleepers(2)
    real.clock.advance(by: .seconds(30))
    let report = await real.session.seen().report
    #expect(report.stopReason == .disconnected && report.audio.duration == 1 && report.gaps.isEmpty)
    #expect(report.isIncomplete && report.errors.map(\.code) == ["disconnected"])
    #expect(real.events.contains("bleDisconnected"))
  }

  @Test("§8: Audio that breaks off for longer ends the stream as disconnected, though no loss is told")
  func lostUntold() async throws {
    let real = try RealBench()
    try await real.coordinator.start(real.session)
    #expect(await real.hear(tenths: 10, upTo: 16_000))
    real.device.goAway(isTold: false)
    await real.clock.waitForSleepers(1)
    real.clock.advance(by: .seconds(31))
    let report = await real.session.seen().report
    #expect(report.stopReason == .disconnected && report.audio.duration == 1 && report.gaps.isEmpty)
    #expect(report.isIncomplete && report.errors.map(\.code) == ["deviceLost"])
    #expect(await eventually { real.coordinator.state == .idle })
  }

  @Test(
    "§8: Interruptions, storage full and device errors end the stream with their reason",
    arguments: [StopReason.interrupted, .storageFull, .deviceError])
  func troubles(_ reason: StopReason) async throws {
    let real = try RealBench()
    try await real.coordinator.start(real.session)
    #expect(await real.hear(tenths: 10, upTo: 16_000))
    switch reason {
    case .interrupted: real.device.interrupt(.lowBattery)
    case .storageFull: real.device.fillStorage()
    default: real.device.fail()
    }
    let report = await real.session.seen().report
    #expect(report.stopReason == reason && report.audio.duration == 1)
    #expect(report.isStoppedByInterruption == (reason == .interrupted))
    #expect(real.events.contains("interruptionBegan") == (reason == .interrupted))
    #expect(await eventually { real.coordinator.state == .idle })
  }

  @Test("§8: Device failure stops the service: its report is there, and empty of audio")
  func deviceFails() async throws {
    let real = try RealBench()
    real.device.set { (_) throws(DeviceError) in throw DeviceError(.busy, "plays music") }
    await #expect(throws: SessionFailure(DeviceError(.busy, "plays music"))) {
      try await real.coordinator.start(real.session)
    }
    // What is still under way is waited for by the device's clock.
    let ending = Task { await real.session.seen() }
    await real.clock.waitForSleepers(1)
    real.clock.advance(by: .seconds(1))
    let report = await ending.value.report
    #expect(report.stopReason == .deviceError && report.audio.duration == 0)
    #expect(report.errors.map(\.code) == ["busy"])
  }

  @Test("§8: A pause in which the device sends nothing is a pause of the recording")
  func pause() async throws {
    let real = try RealBench()
    try await real.coordinator.start(real.session)
    #expect(await real.hear(tenths: 10, upTo: 16_000))
    real.coordinator.pause()
    #expect(await eventually { real.device.isPaused })
    real.clock.advance(by: .seconds(4))
    real.device.hear(64_000)
    real.coordinator.resume()
    #expect(await eventually { !real.device.isPaused && real.session.state == .recording })
    #expect(await real.hear(tenths: 1, upTo: 81_600))
    #expect(await real.hear(tenths: 9, upTo: 96_000))
    real.coordinator.stop()
    let report = await real.session.seen().report
    #expect(report.gaps.map(\.reason) == ["paused"])
    #expect(report.audio.duration == 6 && report.activeDuration == 2)
  }
}
