import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

@Suite("A device and a session, brought together", .timeLimit(.minutes(5)))
struct DeviceCoordinatorTests {
  @Test("§8: App-initiated: service, success, device; then device, session, service, and one finish")
  func programBegins() async throws {
    let bench = DeviceBench()
    let session = bench.session()
    try await bench.coordinator.start(session, scene: .onSite)
    #expect(bench.diary.entries == ["session starts", "session runs", "device starts: onSite"])
    #expect(bench.coordinator.keptSession as? FakeSession === session)
    #expect(bench.device.isSending && bench.coordinator.state == .running)
    bench.coordinator.stop()
    bench.coordinator.stop()
    await bench.news.wait(for: .finished(.userInitiated))
    #expect(
      bench.diary.entries.suffix(3) == ["device stops: onSite", "session ends: userInitiated", "session finishes"])
    #expect(bench.coordinator.keptSession == nil && bench.coordinator.state == .idle)
    #expect(bench.news.entries.count { $0 == .finished(.userInitiated) } == 1)
  }

  @Test("§8: The states are told in their order")
  func states() async throws {
    let bench = DeviceBench()
    try await bench.coordinator.start(bench.session(), scene: .onSite)
    bench.coordinator.pause()
    bench.coordinator.resume()
    bench.coordinator.stop()
    await bench.news.wait(for: .finished(.userInitiated))
    let states: [DeviceLifecycle.State] = [
      .startingSession, .startingDevice, .running, .paused, .running, .stoppingDevice, .stoppingSession, .idle,
    ]
    #expect(bench.news.entries == states.map(DeviceNews.state) + [.finished(.userInitiated)])
  }

  @Test("§8: Device failure stops the service, and the start fails")
  func deviceFails() async {
    let bench = DeviceBench { (command) throws(DeviceError) in
      if command == .start(.onSite) { throw DeviceError(.busy, "plays music") }
    }
    let session = bench.session()
    let failure = await bench.failure(starting: session)
    #expect(failure == SessionFailure(DeviceError(.busy, "plays music")))
    await bench.diary.wait(for: "session finishes")
    #expect(bench.diary.entries.contains("session ends: deviceError") && session.failure == failure)
    #expect(!bench.diary.entries.contains("device stops: onSite"))
    await bench.news.wait(for: .state(.idle))
    #expect(!bench.news.entries.contains { if case .finished = $0 { true } else { false } })
  }

  @Test("§8: Where the service does not start, the device hears nothing")
  func serviceFails() async {
    let bench = DeviceBench()
    let failure = SessionFailure(RecognitionError(.offline, "no network"))
    let session = bench.session { () throws(SessionFailure) in throw failure }
    let thrown = await bench.failure(starting: session)
    #expect(thrown == failure)
    #expect(bench.diary.entries == ["session starts", "session fails"] && bench.device.calls.isEmpty)
    // And the next one may come.
    let next = await bench.failure(starting: bench.session("next"))
    #expect(next == nil)
  }

  @Test("§8: A device that does not answer is given up, stopped, and the service with it")
  func silentDevice() async {
    let gate = ScriptGate()
    let bench = DeviceBench { (command) throws(DeviceError) in
      if command == .start(.onSite) { await gate.pass() }
    }
    async let failure = bench.failure(starting: bench.session())
    await gate.waitForArrival()
    await bench.clock.waitForSleepers(1)
    bench.clock.advance(by: .seconds(10))
    #expect(await failure?.isDevice(.timedOut) == true)
    await bench.diary.wait(for: "session finishes")
    await bench.diary.wait(for: "device stops: onSite")
    #expect(!bench.device.isSending)
  }

  @Test("§8: Device-initiated: eligibility, the app's callback, both sides, one report each")
  func deviceBegins() async throws {
    let order = Diary<String>()
    let bench = DeviceBench(
      eligibility: DeviceEligibility([
        { _ in
          order.note("checked")
          return nil
        }
      ]))
    bench.coordinator.listen { if case .startRequested = $0 { order.note("asked") } }
    let request = DeviceStartRequest(id: "a", scene: .call, channel: "left")
    await bench.offer(request)
    await order.wait(for: "asked")
    #expect(order.entries == ["checked", "asked"])
    #expect(bench.coordinator.pendingRequest == request && bench.device.calls.isEmpty)
    try await bench.coordinator.start(bench.session(), scene: .call, answering: "a")
    await bench.diary.wait(for: "reported start: call")
    #expect(
      bench.diary.entries == ["session starts", "session runs", "device starts: call", "reported start: call"])
    bench.device.say(.stopRequested)
    await bench.news.wait(for: .finished(.userInitiated))
    await bench.diary.wait(for: "reported stop")
    #expect(bench.diary.entries.dropFirst(4).prefix(2) == ["device stops: call", "session ends: userInitiated"])
    await #expect(throws: SessionFailure.self) { try await bench.coordinator.reportStopped() }
    #expect(bench.device.calls.count { $0 == .reportStopped || $0 == .reportStarted(.call) } == 2)
  }

  @Test("§8: The program reports where that was agreed: once, and not before it has happened")
  func programReports() async throws {
    let bench = DeviceBench(handling: .byProgram)
    let coordinator = bench.coordinator
    func kind(_ body: () async throws(SessionFailure) -> Void) async -> String? {
      do throws(SessionFailure) { try await body() } catch { return error.code }
      return nil
    }
    await bench.offer()
    #expect(
      await kind { () throws(SessionFailure) in try await coordinator.reportStartSuccess(.onSite) } == "notHappened")
    try await coordinator.start(bench.session(), scene: .onSite, answering: "1")
    #expect(await kind { () throws(SessionFailure) in try await coordinator.reportStartSuccess(.onSite) } == nil)
    #expect(
      await kind { () throws(SessionFailure) in try await coordinator.reportStartSuccess(.onSite) } == "alreadyReported"
    )
    bench.device.say(.stopRequested)
    await bench.news.wait(for: .stopRequested)
    #expect(coordinator.state == .running)
    #expect(await kind { () throws(SessionFailure) in try await coordinator.reportStopped() } == "notHappened")
    coordinator.stop()
    await bench.news.wait(for: .finished(.userInitiated))
    #expect(await kind { () throws(SessionFailure) in try await coordinator.reportStopped() } == nil)
    #expect(await kind { () throws(SessionFailure) in try await coordinator.reportStopped() } == "alreadyReported")
    #expect(bench.device.calls == [.start(.onSite), .reportStarted(.onSite), .stop(.onSite), .reportStopped])
    // A session of the program's own reports nothing.
    try await coordinator.start(bench.session("own"), scene: .onSite)
    #expect(await kind { () throws(SessionFailure) in try await coordinator.reportStartSuccess(.onSite) } == "notAsked")
  }

  @Test("§8: What the device answers to a report is told to who reports")
  func reportFails() async throws {
    let bench = DeviceBench(handling: .byProgram) { (command) throws(DeviceError) in
      if command == .reportStarted(.onSite) { throw DeviceError(.failed, "cannot show it") }
    }
    await bench.offer()
    try await bench.coordinator.start(bench.session(), scene: .onSite, answering: "1")
    await #expect(throws: SessionFailure(DeviceError(.failed, "cannot show it"))) {
      try await bench.coordinator.reportStartSuccess(.onSite)
    }
    #expect(bench.coordinator.state == .running)
  }

  @Test("§8: A request that is not eligible does not reach the app's callback")
  func notEligible() async {
    let obstacle = SessionFailure(RecognitionError(.consentMissing, "ask first"))
    let bench = DeviceBench(eligibility: DeviceEligibility([{ _ in obstacle }]))
    bench.device.press(DeviceBench.request)
    await bench.news.wait(for: .requestRefused(DeviceBench.request, obstacle))
    await bench.news.wait(for: .state(.idle))
    #expect(!bench.news.entries.contains(.startRequested(DeviceBench.request)))
    let failure = await bench.failure(starting: bench.session(), answering: "1")
    #expect(failure?.isDevice(.requestExpired) == true && bench.diary.entries.isEmpty)
  }

  @Test("§8: A start that names an unknown or expired request fails, and starts nothing")
  func expired() async {
    let bench = DeviceBench()
    let unknown = await bench.failure(starting: bench.session(), answering: "1")
    #expect(unknown?.isDevice(.requestUnknown) == true)
    await bench.offer()
    await bench.clock.waitForSleepers(1)
    bench.clock.advance(by: .seconds(30))
    await bench.news.wait(for: .requestWithdrawn(DeviceBench.request))
    let expired = await bench.failure(starting: bench.session(), answering: "1")
    #expect(expired?.isDevice(.requestExpired) == true)
    #expect(bench.diary.entries.isEmpty && bench.coordinator.state == .idle)
  }

  @Test("§8: Pause and resume requests likewise, the session before the device and behind it")
  func pauses() async throws {
    let bench = DeviceBench()
    try await bench.coordinator.start(bench.session(), scene: .onSite)
    bench.device.say(.resumeRequested)
    bench.device.say(.pauseRequested)
    bench.device.say(.pauseRequested)
    await bench.diary.wait(for: "device pauses")
    bench.device.say(.resumeRequested)
    await bench.diary.wait(for: "session resumes")
    await bench.diary.wait(for: "device resumes")
    bench.coordinator.stop()
    await bench.news.wait(for: .finished(.userInitiated))
    #expect(bench.diary.entries.dropFirst(3).first == "session pauses")
    #expect(bench.news.entries.count { $0 == .pauseRequested } == 1)
    #expect(bench.news.entries.count { $0 == .resumeRequested } == 1)
    #expect(bench.diary.entries.count { $0 == "device pauses" } == 1)
  }

  @Test(
    "§8: Interruptions, full storage and errors end the stream with their reason",
    arguments: [
      (DeviceEvent.interrupted(.lowBattery), StopReason.interrupted),
      (.interrupted(InterruptionReason(number: 77)), .interrupted), (.storageFull, .storageFull),
      (.failed(DeviceError(.failed, "broken")), .deviceError),
    ])
  func troubles(_ event: DeviceEvent, _ reason: StopReason) async throws {
    let bench = DeviceBench()
    try await bench.coordinator.start(bench.session(), scene: .onSite)
    switch event {
    case .interrupted(let reason): bench.device.interrupt(reason)
    case .storageFull: bench.device.fillStorage()
    default: bench.device.say(event)
    }
    await bench.news.wait(for: .finished(reason))
    #expect(bench.diary.entries.contains("session ends: \(reason.name)"))
    if case .interrupted(let why) = event { #expect(bench.news.entries.contains(.interrupted(why))) }
    #expect(!bench.device.isSending && bench.coordinator.state == .idle)
  }

  @Test("§8: A session that ends by itself has the device stopped, and its reason is told")
  func sessionEnds() async throws {
    let bench = DeviceBench()
    let session = bench.session()
    try await bench.coordinator.start(session, scene: .onSite)
    session.end(.maxDurationReached, nil)
    await bench.news.wait(for: .finished(.maxDurationReached))
    #expect(bench.device.calls.last == .stop(.onSite) && !bench.device.isSending)
  }

  @Test("§8: A device that comes back within the grace goes on in the same session")
  func reconnects() async throws {
    let bench = DeviceBench()
    try await bench.coordinator.start(bench.session(), scene: .onSite)
    bench.device.goAway()
    await bench.news.wait(for: .state(.away))
    await bench.diary.wait(for: "session is told bleDisconnected")
    await bench.clock.waitForSleepers(1)
    bench.clock.advance(by: .seconds(29))
    bench.device.comeBack()
    await bench.news.wait(for: .state(.running), count: 2)
    bench.clock.advance(by: .seconds(60))
    #expect(bench.coordinator.state == .running)
    #expect(!bench.diary.entries.contains { $0.hasPrefix("session ends") })
    #expect(bench.device.calls == [.start(.onSite)])
  }

  @Test("§8: A device that stays away for longer ends the stream as disconnected")
  func staysAway() async throws {
    let bench = DeviceBench()
    let session = bench.session()
    try await bench.coordinator.start(session, scene: .onSite)
    bench.device.goAway()
    await bench.news.wait(for: .state(.away))
    await bench.clock.waitForSleepers(1)
    bench.clock.advance(by: .seconds(30))
    await bench.news.wait(for: .finished(.disconnected))
    #expect(session.failure?.isDevice(.disconnected) == true)
    // It is told nothing where it cannot hear.
    #expect(bench.device.calls == [.start(.onSite)])
    let failure = await bench.failure(starting: bench.session("next"))
    #expect(failure?.isDevice(.disconnected) == true)
    bench.device.comeBack()
    await bench.news.wait { _ in bench.coordinator.state == .idle }
  }

  @Test("§8: A stop while the device is being started: the device, then the service; the start fails")
  func stopEarly() async {
    let gate = ScriptGate()
    let bench = DeviceBench { (command) throws(DeviceError) in
      if command == .start(.onSite) { await gate.pass() }
    }
    async let failure = bench.failure(starting: bench.session())
    await gate.waitForArrival()
    bench.coordinator.stop()
    #expect(await failure?.isDevice(.cancelled) == true)
    await bench.diary.wait(for: "session finishes")
    #expect(
      bench.diary.entries.suffix(3) == ["device stops: onSite", "session ends: userInitiated", "session finishes"])
    #expect(!bench.device.isSending)
  }

  @Test("§8: A stop while the service starts: the device hears nothing, and the start fails")
  func stopEarlier() async {
    let gate = ScriptGate()
    let bench = DeviceBench()
    let session = bench.session { () throws(SessionFailure) in await gate.pass() }
    async let failure = bench.failure(starting: session)
    await gate.waitForArrival()
    bench.coordinator.stop()
    #expect(await failure?.isDevice(.cancelled) == true)
    #expect(bench.coordinator.state == .stoppingSession)
    gate.open()
    await bench.news.wait(for: .state(.idle))
    #expect(bench.device.calls.isEmpty)
  }

  @Test("§8: A start whose task is cancelled is stopped, and no other")
  func cancelled() async throws {
    let gate = ScriptGate()
    let bench = DeviceBench { (command) throws(DeviceError) in
      if command == .start(.onSite) { await gate.pass() }
    }
    let task = Task { await bench.failure(starting: bench.session()) }
    await gate.waitForArrival()
    // Another start is refused, and its cancellation stops nothing.
    let other = Task { await bench.failure(starting: bench.session("other")) }
    other.cancel()
    #expect(await other.value?.isDevice(.busy) == true)
    #expect(bench.coordinator.state == .startingDevice)
    task.cancel()
    #expect(await task.value?.isDevice(.cancelled) == true)
    await bench.diary.wait(for: "session finishes")
  }

  @Test("§8: Listeners can be removed, and hear nothing after that")
  func listeners() async throws {
    let bench = DeviceBench()
    let heard = Diary<DeviceNews>()
    let listening = bench.coordinator.listen { heard.note($0) }
    await bench.offer()
    await heard.wait(for: .startRequested(DeviceBench.request))
    listening.remove()
    let count = heard.entries.count
    try await bench.coordinator.start(bench.session(), scene: .onSite, answering: "1")
    await bench.news.wait(for: .state(.running))
    #expect(heard.entries.count == count && !listening.isListening)
  }

  @Test("§8: A close removes all listeners, the device's too, stops what runs, and refuses what comes after")
  func close() async throws {
    let bench = DeviceBench()
    try await bench.coordinator.start(bench.session(), scene: .onSite)
    await bench.news.wait(for: .state(.running))
    #expect(bench.device.listenerCount == 1)
    await bench.coordinator.close()
    let count = bench.news.entries.count
    #expect(
      bench.diary.entries.suffix(3) == ["device stops: onSite", "session ends: userInitiated", "session finishes"])
    bench.device.press(DeviceBench.request)
    let failure = await bench.failure(starting: bench.session("next"))
    #expect(failure?.isDevice(.closed) == true)
    let late = bench.coordinator.listen { _ in Issue.record("told after the close") }
    #expect(!late.isListening && bench.news.entries.count == count)
    for _ in 0..<1_000 where bench.device.listenerCount > 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(bench.device.listenerCount == 0)
    await bench.coordinator.close()
  }

  @Test("§8: Who lets go of everything leaves no listener with the device")
  func letGo() async throws {
    let device = ScriptedDevice()
    var coordinator: DeviceCoordinator? = DeviceCoordinator(device: device, eligibility: DeviceEligibility([]))
    weak let gone = coordinator
    #expect(device.listenerCount == 1)
    coordinator = nil
    for _ in 0..<1_000 where device.listenerCount > 0 || gone != nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(device.listenerCount == 0 && gone == nil)
  }

  @Test("§8: A listener that stops and starts from within is not waited for")
  func reentrant() async throws {
    let bench = DeviceBench()
    let coordinator = bench.coordinator
    coordinator.listen { news in
      if news == .state(.running) { coordinator.stop() }
    }
    try await coordinator.start(bench.session(), scene: .onSite)
    await bench.news.wait(for: .finished(.userInitiated))
  }

  @Test("§8: A slow listener holds up neither device nor session, and hears the latest state")
  func slowListener() async throws {
    let bench = DeviceBench()
    let gate = ScriptGate()
    let blocked = Diary<DeviceNews>()
    bench.coordinator.listen { news in
      blocked.note(news)
      if blocked.entries.count == 1 { while !gate.isOpen { Thread.sleep(forTimeInterval: 0.001) } }
    }
    try await bench.coordinator.start(bench.session(), scene: .onSite)
    for _ in 0..<400 {
      bench.coordinator.pause()
      bench.coordinator.resume()
    }
    bench.coordinator.stop()
    await bench.diary.wait(for: "session finishes")
    gate.open()
    await blocked.wait(for: .finished(.userInitiated))
    #expect(blocked.entries.count <= DeviceListeners.capacity + 1)
    #expect(blocked.entries.contains(.state(.idle)))
  }
}
