import AuricleAudio
import AuricleConsent
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

@Suite("How a session ends", .timeLimit(.minutes(5)))
struct SessionEndTests {
  private static let reasons: [StopReason] = [
    .unknown, .userInitiated, .maxDurationReached, .deviceError, .storageFull, .disconnected, .interrupted,
  ]

  @Test("§1: Each stop reason reaches the report and the end of the audio", arguments: reasons)
  func reason(_ reason: StopReason) async throws {
    let bench = try SessionBench()
    let session = bench.session()
    bench.source.speak(seconds: 1)
    try await session.start()
    session.end(reason)
    let seen = await session.seen()
    #expect(seen.report.stopReason == reason && seen.isFinishLast && seen.finishCount == 1)
    #expect(await session.audioEnd().reason == reason)
    #expect(seen.report.isStoppedByInterruption == (reason == .interrupted))
    let (told, other) = ("userInitiatedToEndSession", "autoEndSessionTriggered")
    let isWanted = reason == .userInitiated
    #expect(seen.events.contains(isWanted ? told : other) && !seen.events.contains(isWanted ? other : told))
    #expect(seen.events.last == "sessionEnded")
  }

  @Test(
    "§1: A source that fails ends the audio with its reason and its failure",
    arguments: [
      (AudioError.Kind.deviceLost, StopReason.disconnected), (.serverLost, .deviceError), (.readFailed, .deviceError),
    ] as [(AudioError.Kind, StopReason)])
  func failing(kind: AudioError.Kind, reason: StopReason) async throws {
    let bench = try SessionBench()
    let session = bench.session()
    bench.source.speak(seconds: 3)
    bench.source.fail(AudioError(kind, "it is gone"))
    try await session.start()
    let seen = await session.seen()
    let end = await session.audioEnd()
    #expect(seen.report.stopReason == reason && end.reason == reason && end.failure?.code == kind.name)
    let auto = seen.report.sessionEvents.first { $0.event == "autoEndSessionTriggered" }
    #expect(auto?.details["reason"] == reason.name && auto?.error?.code == kind.name && auto?.evidence != nil)
    #expect(seen.finals.count == 2 && seen.kinds.contains("error"))
  }

  @Test("§1: A full disk ends the audio with storageFull")
  func full() async throws {
    var bench = try SessionBench()
    let error = SessionFailure(domain: SessionFailure.recordingDomain, code: "storageFull", message: "the disk is full")
    bench.writer = MemoryWriter(failure: (frame: 16_000, error: error))
    let session = bench.session()
    bench.source.speak(seconds: 3)
    try await session.start()
    let end = await session.audioEnd()
    #expect(end.reason == .storageFull && end.failure == error)
    #expect(await session.seen().report.stopReason == .storageFull)
  }

  @Test("§1: The failure behind an end that somebody outside asked for is told once and stands in the report")
  func outsideFailure() async throws {
    let bench = try SessionBench()
    let session = bench.session()
    bench.source.speak(seconds: 1)
    try await session.start()
    let failure = SessionFailure(RecognitionError(.deviceLost, "the earbuds are gone"))
    session.end(.disconnected, failure)
    session.end(.deviceError, SessionFailure(RecognitionError(.failed, "late")))
    let seen = await session.seen()
    #expect(seen.report.errors == [failure] && seen.kinds.count { $0 == "error" } == 1)
    let end = await session.audioEnd()
    #expect(end.reason == .disconnected && end.failure == failure)
  }

  @Test("§1: Stop is idempotent, however often and whatever else comes")
  func idempotent() async throws {
    let bench = try SessionBench()
    let session = bench.session()
    bench.source.speak(seconds: 3)
    try await session.start()
    for _ in 0..<10 {
      session.stop()
      session.end(.deviceError)
      session.interrupt(.incomingCall)
      session.pause()
      session.resume()
    }
    let seen = await session.seen()
    #expect(seen.report.stopReason == .userInitiated && seen.finals.count == 2)
    #expect(
      seen.events == ["userInitiatedToStart", "sessionStarted", "userInitiatedToEndSession"]
        + seen.events.filter { $0.hasPrefix("aiService") } + ["sessionEnded"])
    session.stop()
    session.cancel()
    #expect(await session.all().isEmpty && session.state == .idle)
  }

  @Test("§1: The audio ends before the session, which waits for the last words")
  func audioFirst() async throws {
    var bench = try SessionBench()
    let gate = ScriptGate()
    bench.script = RecordingBench.speech + [ScriptStep(.finish, .hold(gate))]
    let session = bench.session()
    bench.source.speak(seconds: 3)
    try await session.start()
    session.stop()
    #expect(await session.audioEnd().reason == .userInitiated)
    #expect(session.report == nil && session.isAudioOver && session.state == .idle && bench.writer.isFinished)
    gate.open()
    let seen = await session.seen()
    #expect(seen.finals.count == 2 && !seen.report.isIncomplete)
  }

  @Test("§1: The last words are waited for as long as was configured; then the report is incomplete")
  func boundedWait() async throws {
    var bench = try SessionBench()
    let clock = ManualClock()
    bench.clock = clock
    bench.configuration.lastResults = .seconds(5)
    let gate = ScriptGate()
    bench.script = RecordingBench.speech + [ScriptStep(.finish, .hold(gate))]
    let session = bench.session()
    bench.source.speak(seconds: 3)
    try await session.start()
    session.stop()
    _ = await session.audioEnd()
    await gate.waitForArrival()
    // Each of the waits ends only when the clock has gone so far, and one without news is the last.
    var waited = Duration.zero
    while session.report == nil, waited < .seconds(60) {
      try? await Task.sleep(for: .milliseconds(2))
      guard let next = clock.nextDeadline else { continue }
      let step = clock.now.duration(to: next)
      #expect(step <= .seconds(5))
      waited += step
      clock.advance(by: step)
      _ = await eventually { session.report != nil || clock.sleeperCount > 0 }
    }
    let seen = await session.seen()
    #expect(seen.report.incompleteReason == .timedOut && seen.finals.count == 2 && waited >= .seconds(5))
    #expect(!seen.report.isStoppedByInterruption && seen.report.stopReason == .userInitiated)
  }

  @Test("§1: Cancelled, it does not wait for the last words, and what was heard is kept")
  func cancelled() async throws {
    var bench = try SessionBench()
    bench.script = RecordingBench.speech + [ScriptStep(.finish, .hold(ScriptGate()))]
    let session = bench.session()
    bench.source.speak(seconds: 3)
    try await session.start()
    session.cancel()
    let seen = await session.seen()
    #expect(seen.report.stopReason == .userInitiated && seen.report.incompleteReason == .timedOut)
    #expect(seen.report.audio.duration == 3 && !seen.report.isStoppedByInterruption)
  }

  @Test("§1: Nothing comes after the finish, whatever is called")
  func afterFinish() async throws {
    let (session, seen) = try await SessionBench().whole()
    session.tell(SessionEvent(.bleDisconnected, time: 0))
    session.appWillTerminate()
    session.interrupt(.lowBattery)
    session.withdrawConsent()
    session.end(.deviceError, SessionFailure(AudioError(.readFailed, "late")))
    #expect(await session.all().isEmpty && session.report == seen.report)
  }

  @Test("§7: A recording without text: a length of minutes to the frame, one end, one finish")
  func maximum() async throws {
    var bench = try SessionBench(wantsTranscript: false)
    bench.providers = []
    bench.configuration.maximumMinutes = 1
    let session = bench.session()
    bench.source.speak(seconds: 61)
    try await session.start()
    #expect(await session.audioEnd().reason == .maxDurationReached)
    let seen = await session.seen()
    #expect(bench.writer.frameCount == 60 * 16_000 && bench.writer.isFinished && seen.report.audio.duration == 60)
    #expect(seen.report.stopReason == .maxDurationReached && !seen.report.isIncomplete && seen.finishCount == 1)
    #expect(seen.events.contains("autoEndSessionTriggered") && seen.report.provider == nil)
  }

  @Test("§7: Of the user's own length and the greatest one the shorter counts, with its reason")
  func lengths() async throws {
    for (seconds, minutes, reason) in [(2.5, 1, StopReason.userInitiated), (90, 1, .maxDurationReached)] {
      var bench = try SessionBench(wantsTranscript: false)
      (bench.configuration.seconds, bench.configuration.maximumMinutes) = (seconds, minutes)
      let session = bench.session()
      bench.source.speak(seconds: 100)
      try await session.start()
      let report = await session.seen().report
      #expect(report.stopReason == reason && report.audio.duration == min(seconds, Double(minutes * 60)))
    }
  }

  @Test("§7: The start returns while it records; the finish comes once, with the reason")
  func normal() async throws {
    let bench = try SessionBench(wantsTranscript: false)
    let session = bench.session()
    try await session.start()
    #expect(session.state == .recording && session.report == nil && !session.isAudioOver)
    bench.source.speak(seconds: 1)
    session.stop()
    #expect(await session.audioEnd().reason == .userInitiated)
    #expect(await session.seen().finishCount == 1)
  }

  @Test("§2: Paused only from recording, resumed only from paused; active time leaves pauses out")
  func pauses() async throws {
    let bench = try SessionBench(wantsTranscript: false)
    let session = bench.session()
    session.pause()
    try await session.start()
    session.resume()
    #expect(session.state == .recording)
    bench.source.speak(seconds: 1)
    #expect(await eventually { bench.writer.frameCount == 16_000 })
    session.pause()
    session.pause()
    #expect(session.state == .paused)
    bench.source.speak(seconds: 1)
    #expect(await eventually { bench.writer.frameCount == 32_000 })
    session.resume()
    #expect(session.state == .recording)
    // The block that is asked for while it is paused belongs to the pause.
    bench.source.speak(seconds: 1.1)
    #expect(await eventually { bench.writer.frameCount == 49_600 })
    session.pause()
    session.stop()
    let seen = await session.seen()
    #expect(seen.report.audio.duration == 3.1 && seen.report.activeDuration == 2)
    #expect(seen.report.gaps.map(\.reason) == ["paused"])
    #expect(seen.events.filter { $0 == "paused" || $0 == "resumed" } == ["paused", "resumed"])
  }
}
