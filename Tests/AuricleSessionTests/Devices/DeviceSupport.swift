import AuricleRecognition
import AuricleTestKit

@testable import AuricleSession

/// Everything that happened, in one order, and somebody who waits for more of it.
final class Diary<Entry: Sendable & Equatable>: Sendable {
  private struct Waiter: Sendable {
    let isMet: @Sendable ([Entry]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var entries: [Entry] = []
    var waiters: [Waiter] = []
  }

  private let state = Guarded(State())

  var entries: [Entry] { state.withLock { $0.entries.map(\.self) } }

  func note(_ entry: Entry) {
    let met = state.withLock { state in
      state.entries.append(entry)
      let met = state.waiters.filter { $0.isMet(state.entries) }
      if !met.isEmpty { state.waiters.removeAll { $0.isMet(state.entries) } }
      return met
    }
    for waiter in met { waiter.continuation.resume() }
  }

  /// Waits until an entry stands there so often.
  func wait(for entry: Entry, count: Int = 1) async {
    await wait { entries in entries.count { $0 == entry } >= count }
  }

  func wait(until isMet: @escaping @Sendable ([Entry]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard !isMet(state.entries) else { return true }
        state.waiters.append(Waiter(isMet: isMet, continuation: continuation))
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}

/// A session that does what a test tells it, and notes that.
final class FakeSession: DeviceSession {
  private struct State {
    var isRunning = false
    var end: (reason: StopReason, failure: SessionFailure?)?
  }

  let name: String
  private let diary: Diary<String>
  private let onStart: @Sendable () async throws(SessionFailure) -> Void
  private let onFinish: @Sendable () async -> Void
  private let state = Guarded(State())
  private let ended = StopSignal()

  init(
    _ name: String = "session", diary: Diary<String>,
    onStart: @escaping @Sendable () async throws(SessionFailure) -> Void = {},
    onFinish: @escaping @Sendable () async -> Void = {}
  ) {
    self.name = name
    self.diary = diary
    self.onStart = onStart
    self.onFinish = onFinish
  }

  var failure: SessionFailure? { state.withLock { $0.end?.failure } }

  func start() async throws(SessionFailure) {
    diary.note("\(name) starts")
    do throws(SessionFailure) {
      try await onStart()
      let isRunning = state.withLock { state in
        state.isRunning = state.end == nil
        return state.isRunning
      }
      if !isRunning { throw SessionFailure(.wasStopped) }
    } catch {
      diary.note("\(name) fails")
      throw error
    }
    diary.note("\(name) runs")
  }

  func pause() { diary.note("\(name) pauses") }
  func resume() { diary.note("\(name) resumes") }
  func stop() { end(.userInitiated, nil) }
  func interrupt(_ reason: InterruptionReason) { end(.interrupted, nil) }
  func tell(_ event: SessionEvent) { diary.note("\(name) is told \(event.kind.name)") }

  func end(_ reason: StopReason, _ failure: SessionFailure?) {
    let isFirst = state.withLock { state in
      guard state.end == nil else { return false }
      state.end = (reason, failure)
      return true
    }
    guard isFirst else { return }
    diary.note("\(name) ends: \(reason.name)")
    ended.stop()
  }

  func audioEnd() async -> (reason: StopReason, failure: SessionFailure?) {
    _ = await ended.wait()
    return state.withLock { $0.end } ?? (.unknown, nil)
  }

  func finished() async {
    await onFinish()
    diary.note("\(name) finishes")
  }
}

extension ScriptedDevice.Command {
  /// As it stands in a diary.
  var note: String {
    switch self {
    case .start(let scene): "device starts: \(scene)"
    case .stop(let scene): "device stops: \(scene)"
    case .pause: "device pauses"
    case .resume: "device resumes"
    case .reportStarted(let scene): "reported start: \(scene)"
    case .reportStopped: "reported stop"
    case .maximumMinutes, .setMaximumMinutes, .requestStart, .requestStop: "\(self)"
    }
  }
}

/// A device and whoever looks after it, with everything noted.
struct DeviceBench: Sendable {
  let device: ScriptedDevice
  let coordinator: DeviceCoordinator
  let clock = ManualClock()
  /// What session and device did, in one order.
  let diary: Diary<String>
  /// What the program was told.
  let news: Diary<DeviceNews>

  init(
    handling: DeviceLifecycle.Handling = .automatic,
    eligibility: DeviceEligibility = DeviceEligibility([]),
    answer: @escaping ScriptedDevice.Answer = { (_) throws(DeviceError) in }
  ) {
    let diary = Diary<String>()
    let news = Diary<DeviceNews>()
    device = ScriptedDevice()
    device.set { (command) throws(DeviceError) in
      diary.note(command.note)
      try await answer(command)
    }
    coordinator = DeviceCoordinator(
      device: device, policy: DevicePolicy(handling: handling), eligibility: eligibility, clock: clock)
    coordinator.listen { news.note($0) }
    self.diary = diary
    self.news = news
  }

  func session(
    _ name: String = "session",
    onStart: @escaping @Sendable () async throws(SessionFailure) -> Void = {},
    onFinish: @escaping @Sendable () async -> Void = {}
  ) -> FakeSession {
    FakeSession(name, diary: diary, onStart: onStart, onFinish: onFinish)
  }

  static let request = DeviceStartRequest(id: "1", scene: .onSite, channel: "left")

  /// Presses the device's button, and waits until the program is asked.
  func offer(_ request: DeviceStartRequest = Self.request) async {
    device.press(request)
    await news.wait(for: .startRequested(request))
  }

  /// What starting threw.
  func failure(
    starting session: FakeSession, scene: SessionConfiguration.Scene = .onSite, answering id: String? = nil
  ) async -> SessionFailure? {
    do throws(SessionFailure) {
      try await coordinator.start(session, scene: scene, answering: id)
      return nil
    } catch {
      return error
    }
  }
}

extension SessionFailure {
  var isOfDevice: Bool { domain == Self.deviceDomain }
  func isDevice(_ kind: DeviceError.Kind) -> Bool { isOfDevice && code == kind.name }
}
