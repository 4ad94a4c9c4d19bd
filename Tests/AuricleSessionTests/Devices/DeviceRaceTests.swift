import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

/// Chance that many tasks share.
private final class SharedChance: Sendable {
  private let random: Guarded<SeededRandom>
  init(seed: UInt64) { random = Guarded(SeededRandom(seed: seed)) }

  func next() -> UInt64 { random.withLock { $0.next() } }
  func isTrue(oneIn count: UInt64) -> Bool { next() % count == 0 }
  /// Up to a millisecond and a half.
  func pause() async {
    let microseconds = next() % 1_500
    if microseconds > 300 { try? await Task.sleep(for: .microseconds(microseconds)) }
  }
}

/// What happened in one round, as one story.
private struct Story {
  /// One session, as far as it and the device came.
  private struct Attempt {
    var isAsked = false
    var hasRun = false
    var reportedStart = false
    var reportedStop = false
  }

  var faults: [String] = []
  private(set) var sessions = 0
  private(set) var reports = 0
  private var running: String?
  private var latest = Attempt()
  /// The one that the device was switched on for; it hears a report while the next session starts already.
  private var ofDevice: Attempt?
  private var isDeviceOn = false

  mutating func tell(_ entry: String) {
    let words = entry.split(separator: " ").map(String.init)
    switch (words[0], words[1]) {
    case ("reported", "start:"): reportStart()
    case ("reported", "stop"): reportStop()
    // The device was told; what it answers stands in an entry of its own.
    case ("device", "on"): switchOn()
    case ("device", "off"): isDeviceOn = false
    case (_, "starts") where words[0] != "device": begin(words[0])
    case (_, "runs"): latest.hasRun = true
    case (_, "fails"), (_, "finishes"): if running == words[0] { running = nil }
    default: break
    }
  }

  private mutating func begin(_ name: String) {
    if let running { faults.append("\(name) began while \(running) was there") }
    (running, latest) = (name, Attempt(isAsked: name.hasPrefix("asked")))
    sessions += 1
  }

  private mutating func switchOn() {
    if !latest.hasRun { faults.append("the device was switched on without a session") }
    (isDeviceOn, ofDevice) = (true, latest)
  }

  private mutating func reportStart() {
    reports += 1
    guard let attempt = ofDevice else { return faults.append("a start was reported that was none") }
    if attempt.reportedStart { faults.append("a start was reported twice") }
    if !attempt.isAsked { faults.append("a start was reported that nobody asked for") }
    if attempt.reportedStop { faults.append("a start was reported behind its stop") }
    ofDevice?.reportedStart = true
  }

  private mutating func reportStop() {
    reports += 1
    guard let attempt = ofDevice else { return faults.append("a stop was reported that was none") }
    if attempt.reportedStop { faults.append("a stop was reported twice") }
    if !attempt.isAsked { faults.append("a stop was reported that nobody asked for") }
    if isDeviceOn { faults.append("a stop was reported while the device was on") }
    ofDevice?.reportedStop = true
  }
}

@Suite("Devices and programs that talk at once", .timeLimit(.minutes(10)))
struct DeviceRaceTests {
  /// How often: a sample, unless somebody wants more.
  private static var rounds: Int { Int(ProcessInfo.processInfo.environment["AURICLE_DEVICE_ROUNDS"] ?? "") ?? 100 }

  @Test(
    "§8: Simultaneous, late and repeated callbacks: no report twice, none that did not happen, one session at a time")
  func thousandRounds() async {
    var sessions = 0
    var reports = 0
    await withTaskGroup(of: Story.self) { group in
      var next = 0
      for _ in 0..<8 {
        group.addTask { [next] in await Self.round(UInt64(next)) }
        next += 1
      }
      for await story in group {
        #expect(story.faults == [])
        sessions += story.sessions
        reports += story.reports
        guard next < Self.rounds, story.faults.isEmpty else { continue }
        group.addTask { [next] in await Self.round(UInt64(next)) }
        next += 1
      }
    }
    // So that it cannot pass by doing nothing; how many reports come in time depends on how busy the machine is.
    #expect(sessions > Self.rounds / 4, "\(sessions) sessions, \(reports) reports")
  }

  private static func round(_ seed: UInt64) async -> Story {
    let chance = SharedChance(seed: seed)
    let diary = Diary<String>()
    let device = ScriptedDevice()
    device.set { (command) throws(DeviceError) in
      await chance.pause()
      if Task.isCancelled { throw DeviceError(.cancelled, "given up") }
      switch command {
      case .start:
        if chance.isTrue(oneIn: 12) { throw DeviceError(.failed, "by chance") }
        diary.note("device on")
      case .stop: diary.note("device off")
      default: diary.note(command.note)
      }
    }
    let coordinator = DeviceCoordinator(
      device: device, policy: DevicePolicy(grace: .milliseconds(2), request: .milliseconds(4)),
      eligibility: DeviceEligibility([
        { _ in
          await chance.pause()
          return chance.isTrue(oneIn: 10) ? SessionFailure(.isBusy) : nil
        }
      ]))
    let isClosed = Guarded(false)
    await withTaskGroup(of: Void.self) { group in
      let (requests, asking) = AsyncStream.makeStream(of: DeviceStartRequest.self)
      coordinator.listen { news in
        if isClosed.withLock({ $0 }) { diary.note("faulty starts") }
        if case .startRequested(let request) = news { asking.yield(request) }
      }
      group.addTask { await program(coordinator, diary, chance) }
      group.addTask {
        for await request in requests { await answer(request, coordinator, diary, chance) }
      }
      await buttons(device, coordinator, chance)
      await coordinator.close()
      isClosed.withLock { $0 = true }
      asking.finish()
    }
    // Late callbacks of a device that nobody looks after any more.
    device.say(.startRequested(DeviceStartRequest(id: "late", scene: .onSite)))
    device.say(.stopRequested)
    var story = Story()
    for entry in diary.entries { story.tell(entry) }
    return story
  }

  /// The device's side: everything at any time, and some of it twice.
  private static func buttons(_ device: ScriptedDevice, _ coordinator: DeviceCoordinator, _ chance: SharedChance) async
  {
    for number in 0..<6 {
      let request = DeviceStartRequest(id: "\(number)", scene: chance.isTrue(oneIn: 2) ? .onSite : .call)
      device.press(request)
      if chance.isTrue(oneIn: 2) { device.press(request) }
      await chance.pause()
      await chance.pause()
      switch chance.next() % 10 {
      case 0: device.interrupt(.incomingCall)
      case 1: device.fillStorage()
      case 2:
        device.goAway()
        await chance.pause()
        device.comeBack()
      case 3: device.say(.reconnected)
      case 4: device.say(.pauseRequested)
      case 5: coordinator.pause()
      case 6: coordinator.stop()
      default: break
      }
      await chance.pause()
      if chance.isTrue(oneIn: 2) { device.say(.stopRequested) }
      if chance.isTrue(oneIn: 3) { device.say(.stopRequested) }
      await chance.pause()
    }
  }

  /// The program's side: starts of its own.
  private static func program(_ coordinator: DeviceCoordinator, _ diary: Diary<String>, _ chance: SharedChance) async {
    for number in 0..<3 {
      await chance.pause()
      guard chance.isTrue(oneIn: 2) else { continue }
      await start(session("own\(number)", diary, chance), coordinator, nil)
      await chance.pause()
      coordinator.stop()
    }
  }

  private static func answer(
    _ request: DeviceStartRequest, _ coordinator: DeviceCoordinator, _ diary: Diary<String>, _ chance: SharedChance
  ) async {
    if chance.isTrue(oneIn: 4) { await chance.pause() }
    await start(session("asked\(request.id)", diary, chance), coordinator, request)
  }

  private static func start(
    _ session: FakeSession, _ coordinator: DeviceCoordinator, _ request: DeviceStartRequest?
  ) async {
    do throws(SessionFailure) {
      try await coordinator.start(session, scene: request?.scene ?? .onSite, answering: request?.id)
    } catch {}
  }

  private static func session(_ name: String, _ diary: Diary<String>, _ chance: SharedChance) -> FakeSession {
    FakeSession(
      name, diary: diary,
      onStart: { () throws(SessionFailure) in
        await chance.pause()
        if chance.isTrue(oneIn: 10) { throw SessionFailure(DeviceError(.failed, "by chance")) }
      }, onFinish: { await chance.pause() })
  }
}

@Suite("Who listens to a device", .timeLimit(.minutes(5)))
struct DeviceListenersTests {
  @Test("§8: Behind a removal no listener is called, whoever tells at that moment")
  func removal() async {
    let listeners = DeviceListeners()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<20_000 { listeners.post(.stopRequested) }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<1_000 {
            let isRemoved = Guarded(false)
            let listening = listeners.add { _ in
              if isRemoved.withLock({ $0 }) { Issue.record("called after its removal") }
            }
            await Task.yield()
            listening.remove()
            isRemoved.withLock { $0 = true }
          }
        }
      }
    }
    listeners.close()
  }

  @Test("§8: News come in order, one at a time, to everybody")
  func order() async {
    let listeners = DeviceListeners()
    let diary = Diary<String>()
    for name in ["a", "b"] { listeners.add { diary.note("\(name) \($0)") }.keep() }
    let reasons: [StopReason] = [.userInitiated, .storageFull, .disconnected]
    for reason in reasons { listeners.post(.finished(reason)) }
    await diary.wait { $0.count == 6 }
    let expected = reasons.flatMap { reason in ["a", "b"].map { "\($0) \(DeviceNews.finished(reason))" } }
    #expect(diary.entries == expected)
  }

  @Test("§8: A listener may remove itself from within")
  func selfRemoval() async {
    let listeners = DeviceListeners()
    let diary = Diary<DeviceNews>()
    let own = Guarded<DeviceListening?>(nil)
    let listening = listeners.add { news in
      diary.note(news)
      own.withLock { $0 }?.remove()
    }
    own.withLock { $0 = listening }
    listeners.post(.stopRequested)
    listeners.post(.pauseRequested)
    let other = Diary<DeviceNews>()
    listeners.add { other.note($0) }.keep()
    listeners.post(.resumeRequested)
    await other.wait(for: .resumeRequested)
    #expect(diary.entries == [.stopRequested])
  }
}

extension DeviceListening {
  /// Says that nobody needs the handle.
  fileprivate func keep() {}
}
