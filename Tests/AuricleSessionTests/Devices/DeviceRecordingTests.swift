import AuricleRecognition
import AuricleTestKit
import Testing

@testable import AuricleSession

/// A device that records by itself, and everything that it was told.
private struct RecordingDeviceBench: Sendable {
  let device = ScriptedDevice()
  let clock = ManualClock()
  let recording: DeviceRecording

  init() { recording = DeviceRecording(device: device, clock: clock) }

  func failure() async -> SessionFailure? {
    do throws(SessionFailure) {
      try await recording.start()
      return nil
    } catch {
      return error
    }
  }
}

@Suite("A normal recording on the device", .timeLimit(.minutes(10)))
struct DeviceRecordingTests {
  typealias Life = DeviceRecordingLife

  @Test("§7, §8: Started and stopped by the program, it has one start and one end")
  func whole() async throws {
    let bench = RecordingDeviceBench()
    try await bench.recording.start()
    #expect(bench.device.isRecording)
    bench.recording.stop()
    bench.recording.stop()
    let end = await bench.recording.end()
    #expect(end.reason == .userInitiated && end.failure == nil && !bench.device.isRecording)
    #expect(bench.device.calls == [.requestStart, .requestStop])
    #expect(await bench.failure()?.isDevice(.busy) == true)
  }

  @Test("§7: Its maximum duration ends it, and the reason is the device's")
  func longEnough() async throws {
    let bench = RecordingDeviceBench()
    try await bench.recording.start()
    bench.device.endRecording(.maxDurationReached)
    let end = await bench.recording.end()
    #expect(end.reason == .maxDurationReached && end.failure == nil)
  }

  @Test("§7, §8: The maximum duration is got and set; 0, 241 and negative are refused, and the old value stays")
  func maximum() async throws {
    let device = ScriptedDevice()
    try await device.setMaximumMinutes(240)
    for minutes in [0, 241, -1] {
      do throws(DeviceError) {
        try await device.setMaximumMinutes(minutes)
        Issue.record("\(minutes) minutes were taken")
      } catch {
        #expect(error.kind == .invalidParameter)
      }
    }
    let minutes = try await device.maximumMinutes()
    #expect(minutes == 240)
  }

  @Test("§8: A device that is back within the grace goes on; its end is told once")
  func away() async throws {
    let bench = RecordingDeviceBench()
    try await bench.recording.start()
    bench.device.goAway()
    await bench.clock.waitForSleepers(1)
    bench.clock.advance(by: .seconds(29))
    bench.device.comeBack()
    bench.device.endRecording(.maxDurationReached)
    let end = await bench.recording.end()
    #expect(end.reason == .maxDurationReached && end.failure == nil)
  }

  @Test("§8: A device that stays away for longer than the grace ends it as disconnected")
  func lost() async throws {
    let bench = RecordingDeviceBench()
    try await bench.recording.start()
    bench.device.goAway()
    await bench.clock.waitForSleepers(1)
    bench.clock.advance(by: .seconds(30))
    let end = await bench.recording.end()
    #expect(end.reason == .disconnected && end.failure?.isDevice(.disconnected) == true)
  }

  @Test("§8: Who stops while the device is away has its end at once, and the device is stopped when it is back")
  func stopWhileAway() async throws {
    let bench = RecordingDeviceBench()
    try await bench.recording.start()
    bench.device.goAway()
    await bench.clock.waitForSleepers(1)
    bench.recording.stop()
    #expect(await bench.recording.end().reason == .userInitiated)
    bench.device.comeBack()
    #expect(await eventually { !bench.device.isRecording })
  }

  @Test(
    "§8: Interruptions, storage full and device errors end it with their reason",
    arguments: [StopReason.interrupted, .storageFull, .deviceError])
  func troubles(_ reason: StopReason) async throws {
    let bench = RecordingDeviceBench()
    try await bench.recording.start()
    switch reason {
    case .interrupted: bench.device.interrupt(.incomingCall)
    case .storageFull: bench.device.fillStorage()
    default: bench.device.fail()
    }
    #expect(await bench.recording.end().reason == reason)
  }

  @Test("§7: What the device refuses is the start's failure")
  func refused() async {
    let bench = RecordingDeviceBench()
    bench.device.set { (_) throws(DeviceError) in throw DeviceError(.busy, "plays music") }
    #expect(await bench.failure() == SessionFailure(DeviceError(.busy, "plays music")))
  }

  @Test("§8: A device that does not answer is given up, and told to stop")
  func silent() async {
    let bench = RecordingDeviceBench()
    let gate = ScriptGate()
    bench.device.set { (command) throws(DeviceError) in if command == .requestStart { await gate.pass() } }
    async let failure = bench.failure()
    await bench.clock.waitForSleepers(1)
    bench.clock.advance(by: .seconds(10))
    #expect(await failure?.isDevice(.timedOut) == true)
    #expect(await eventually { bench.device.calls == [.requestStart, .requestStop] })
  }

  @Test("§8: A device that agrees to stop and does not say that it has is waited for no longer than for an answer")
  func noWord() {
    var life = Life()
    _ = [Life.Input.start, .started, .stop].map { life.handle($0) }
    #expect(life.handle(.stopAnswered(nil)) == [.wait(1, .end)])
    #expect(life.handle(.waited(0)) == [])
    #expect(life.handle(.waited(1)) == [.finish(.userInitiated, nil)])
    #expect(life.handle(.device(.recordingEnded(.unknown))) == [])
  }

  @Test("§8: Who lets go of it leaves no listener with the device")
  func leak() async throws {
    let device = ScriptedDevice()
    do {
      let recording = DeviceRecording(device: device)
      try await recording.start()
      device.endRecording(.userInitiated)
      _ = await recording.end()
    }
    #expect(await eventually { device.listenerCount == 0 })
  }

  @Test("§7: A million random steps: one start result, one end behind it, nothing after that", arguments: [1, 2])
  func random(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var life = Life()
    var (starts, ends, wait) = (0, 0, 0)
    var (isStarted, finished) = (false, 0)
    for _ in 0..<500_000 {
      let inputs: [Life.Input] = [
        .start, .started, .startFailed(.isBusy), .startFailed(DeviceError(.timedOut, "late")), .stop,
        .stopAnswered(nil), .stopAnswered(.isGone), .waited(wait), .waited(wait - 1), .device(.disconnected),
        .device(.reconnected), .device(.storageFull), .device(.interrupted(.other)), .device(.failed(.isBusy)),
        .device(.recordingEnded(.maxDurationReached)), .device(.stopRequested),
      ]
      let wasOver = life.state == .over
      for action in life.handle(inputs[Int(random.next() % UInt64(inputs.count))]) {
        switch action {
        case .tellStarted: (starts, isStarted) = (starts + 1, true)
        case .tellStartFailed: starts += 1
        case .finish:
          ends += 1
          if !isStarted || wasOver { return #expect(Bool(false), "an end that is none") }
        case .wait(let number, _): wait = number
        case .refuse, .startDevice, .stopDevice: break
        }
      }
      if starts > 1 || ends > 1 { return #expect(Bool(false), "told twice") }
      guard life.state == .over, random.next() % 8 == 0 else { continue }
      if starts != 1 || (ends == 1) != isStarted { return #expect(Bool(false), "over without a word") }
      finished += ends
      (life, starts, ends, wait, isStarted) = (Life(), 0, 0, 0, false)
    }
    #expect(finished > 1_000)
  }
}
