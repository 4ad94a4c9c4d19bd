import AuricleCallbacks
import AuricleConsent
import AuricleRecognition
import AuricleSession
import AuricleTestKit
import Foundation
import Testing

@Suite("Sessions by callbacks", .timeLimit(.minutes(5)))
struct SessionCallerTests {
  private let log = CallLog()

  private func run(
    _ session: ScriptedSession, host: CallbackHost = .ready(), wantsAudio: Bool = false,
    onCall: @escaping @Sendable (String) -> Void = { _ in }
  ) async -> [String] {
    let caller = SessionCaller(host: host)
    caller.start(.scripted { session }, log.callbacks(wantsAudio: wantsAudio, onCall: onCall))
    _ = await log.over.wait()
    await host.lane.call {}
    return log.calls
  }

  private let words = ScriptedSession(
    results: [.event(.userInitiatedToStart), .event(.sessionStarted), .event(.speechStarted)],
    lateResults: [.event(.sessionEnded)], audio: [[1], [2, 2], [3, 3, 3]], reason: .maxDurationReached)

  @Test("§1: A success first, results and audio in order, one end of the audio, one finish, and nothing after it")
  func whole() async {
    _ = await run(words, wantsAudio: true)
    let told = log.told
    #expect(told.first == "started" && told.last == "finish")
    let results = told.filter { !$0.hasPrefix("audio") && !$0.hasPrefix("ended") }
    #expect(
      results == ["started", "userInitiatedToStart", "sessionStarted", "speechStarted", "sessionEnded", "finish"])
    #expect(told.filter { $0.hasPrefix("audio") } == ["audio 1", "audio 2", "audio 3"])
    let ends = told.indices.filter { told[$0] == "ended maxDurationReached" }
    #expect(ends.count == 1 && told[..<(ends.first ?? 0)].contains("audio 3"))
  }

  @Test("§2: What the recording does is told in its order")
  func states() async {
    _ = await run(words)
    #expect(log.states == ["starting", "recording", "stopping", "idle"])
  }

  @Test("§2: An interruption is told as such")
  func interruption() async {
    _ = await run(ScriptedSession(reason: .interrupted))
    #expect(log.states == ["starting", "recording", "interrupted", "idle"])
    #expect(log.told == ["started", "ended interrupted", "finish"])
  }

  @Test("§1: A session that does not start tells its events, one failure, and nothing else")
  func startFailure() async {
    let failure = SessionFailure(RecognitionError(.offline, "there is no network"))
    let session = ScriptedSession(
      startFailure: failure, results: [.event(.userInitiatedToStart), .event(.sessionStartFailed)])
    _ = await run(session, wantsAudio: true)
    #expect(log.told == ["userInitiatedToStart", "sessionStartFailed", "failed offline"])
    #expect(log.states == ["starting", "idle"])
  }

  @Test("§10: Without an environment a start fails, and nothing is opened")
  func noEnvironment() async {
    let host = CallbackHost.ready()
    host.environment = nil
    _ = await run(words, host: host)
    #expect(log.told == ["userInitiatedToStart", "sessionStartFailed", "failed contextInactive"])
  }

  @Test(
    "§10: Without a consent provider, or without consent, a start fails and no session is made",
    arguments: [true, false])
  func noConsent(hasProvider: Bool) async {
    let host = CallbackHost.ready(consent: { nil })
    if !hasProvider { host.consent = nil }
    let openCount = Guarded(0)
    let caller = SessionCaller(host: host)
    let request = SessionRequest.scripted {
      openCount.withLock { $0 += 1 }
      return ScriptedSession()
    }
    caller.start(request, log.callbacks())
    _ = await log.over.wait()
    #expect(log.told == ["userInitiatedToStart", "sessionStartFailed", "failed consentMissing"])
    #expect(openCount.withLock { $0 } == 0 && !caller.isActive)
  }

  @Test("§2: Stopped while people are asked, a start fails at once, and a late yes opens nothing")
  func stopWhileAsking() async {
    let (asked, answer) = (ScriptGate(), ScriptGate())
    let host = CallbackHost.ready(consent: {
      asked.open()
      // Deaf to cancellation, as a window that stays open.
      await Task { await answer.pass() }.value
      return ConsentRecordSample.record
    })
    let caller = SessionCaller(host: host)
    let openCount = Guarded(0)
    let request = SessionRequest.scripted {
      openCount.withLock { $0 += 1 }
      return ScriptedSession()
    }
    caller.start(request, log.callbacks())
    await asked.pass()
    _ = await caller.stop(.text)?.wait()
    _ = await log.over.wait()
    #expect(log.told.last == "failed cancelled" && log.told.count == 3)
    answer.open()
    let next = CallLog()
    host.consent = { ConsentRecordSample.record }
    caller.start(.scripted { ScriptedSession(reason: .userInitiated) }, next.callbacks())
    _ = await next.over.wait()
    #expect(next.told.last == "finish" && openCount.withLock { $0 } == 0)
    #expect(log.told.count == 3)
  }

  @Test("§2: Stopped while it starts, a session gets its stop when it has started")
  func stopWhileStarting() async {
    let gate = ScriptGate()
    let session = ScriptedSession(startGate: gate)
    let host = CallbackHost.ready()
    let caller = SessionCaller(host: host)
    caller.start(.scripted { session }, log.callbacks())
    await gate.waitForArrival()
    let ended = caller.stop(.text)
    gate.open()
    _ = await ended?.wait()
    _ = await log.over.wait()
    #expect(log.told == ["started", "ended userInitiated", "finish"] && session.stopCount >= 1)
  }

  @Test("§1: A stop that is repeated, too early or too late does nothing")
  func idleStop() async {
    let host = CallbackHost.ready()
    let caller = SessionCaller(host: host)
    #expect(caller.stop(.text) == nil)
    let session = ScriptedSession()
    caller.start(.scripted { session }, log.callbacks())
    _ = await log.started.wait()
    #expect(caller.stop(.audio) == nil, "another kind of recording is meant")
    for _ in 0..<3 { _ = await caller.stop(.text)?.wait() }
    _ = await log.over.wait()
    #expect(session.stopCount == 1 && caller.stop(.text) == nil)
    #expect(log.told == ["started", "ended userInitiated", "finish"])
  }

  @Test("A second start while one is under way is busy, and disturbs nothing")
  func busy() async {
    let host = CallbackHost.ready()
    let caller = SessionCaller(host: host)
    caller.start(.scripted { ScriptedSession() }, log.callbacks())
    let second = CallLog()
    caller.start(.scripted { ScriptedSession() }, second.callbacks())
    _ = await second.over.wait()
    #expect(second.told.last == "failed busy" && second.states == [])
    _ = await log.started.wait()
    _ = caller.stop(.text)
    _ = await log.over.wait()
    #expect(log.told == ["started", "ended userInitiated", "finish"])
  }

  @Test("§1: Stopped from a result, started again from the finish: neither waits for itself")
  func reentrant() async {
    let host = CallbackHost.ready()
    let caller = SessionCaller(host: host)
    let next = CallLog()
    let callbacks = log.callbacks { call in
      if call == "speechStarted" { _ = caller.stop(.text) }
      if call == "finish" { caller.start(.scripted { ScriptedSession(reason: .userInitiated) }, next.callbacks()) }
    }
    caller.start(.scripted { ScriptedSession(results: [.event(.speechStarted)]) }, callbacks)
    _ = await next.over.wait()
    #expect(log.told == ["started", "speechStarted", "ended userInitiated", "finish"])
    #expect(next.told == ["started", "ended userInitiated", "finish"])
  }

  @Test("§7: Audio that is only kept ends with the end of its audio, from which the next one may start")
  func keptOnly() async {
    let host = CallbackHost.ready()
    let caller = SessionCaller(host: host)
    let next = CallLog()
    let callbacks = log.callbacks { call in
      guard call == "ended maxDurationReached" else { return }
      caller.start(.scripted { ScriptedSession(reason: .userInitiated) }, next.callbacks())
    }
    let session = ScriptedSession(lateResults: [.event(.sessionEnded)], reason: .maxDurationReached)
    caller.start(.scripted(.audio) { session }, callbacks)
    _ = await next.over.wait()
    #expect(log.told == ["started", "sessionEnded", "ended maxDurationReached"])
    #expect(next.told == ["started", "ended userInitiated", "finish"])
  }

  @Test("A host that lets go of what its callbacks hold gets it back after the finish")
  func leak() async {
    final class Screen: Sendable {}
    weak var weakScreen: Screen?
    let host = CallbackHost.ready()
    let caller = SessionCaller(host: host)
    do {
      let screen = Screen()
      weakScreen = screen
      caller.start(.scripted { ScriptedSession(reason: .userInitiated) }, log.callbacks { _ in _ = screen })
    }
    _ = await log.over.wait()
    // The last callback has begun; it and the task around it come to their end.
    for _ in 0..<2_000 where weakScreen != nil { try? await Task.sleep(for: .milliseconds(5)) }
    #expect(weakScreen == nil)
  }

  @Test("§2: Started and stopped a thousand times at odd moments, no result crosses sessions")
  func thousand() async {
    let host = CallbackHost.ready(queue: DispatchQueue(label: "many", attributes: .concurrent))
    let caller = SessionCaller(host: host)
    for round in 0..<1_000 {
      let log = CallLog()
      let session = ScriptedSession(
        results: [.event(.userInitiatedToStart), .event(.sessionStarted)], audio: [[UInt8(round % 256)]],
        reason: round % 3 == 0 ? .deviceError : nil)
      caller.start(.scripted { session }, log.callbacks(wantsAudio: true))
      if round % 2 == 0 { await Task { for _ in 0..<(round % 7) { await Task.yield() } }.value }
      if round % 5 == 0 { _ = await log.started.wait() }
      _ = caller.stop(.text)
      _ = await log.over.wait()
      await host.lane.call {}
      let told = log.told
      if told.first == "started" {
        #expect(told.count { $0.hasPrefix("ended") } == 1 && told.last == "finish", "\(round): \(told)")
        #expect(told.count { $0 == "sessionStarted" } == 1, "\(round): \(told)")
      } else {
        #expect(told == ["userInitiatedToStart", "sessionStartFailed", "failed cancelled"], "\(round)")
      }
    }
    #expect(!caller.isActive)
  }
}
