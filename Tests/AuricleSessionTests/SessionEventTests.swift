import AuricleAudio
import AuricleCapture
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

@Suite("What happens in a session beside the words", .timeLimit(.minutes(5)))
struct SessionEventTests {
  /// Records what a test does to a source, and gives the events.
  private func events(
    _ bench: SessionBench, _ act: (RecordingSession) async throws -> Void
  ) async throws -> [SessionEvent] {
    let session = bench.session()
    try await session.start()
    try await act(session)
    session.stop()
    let seen = await session.seen()
    let events = seen.deliveries.compactMap { delivery in
      if case .event(let event) = delivery.result { event } else { nil }
    }
    #expect(seen.report.sessionEvents == events.map(ReportEvent.init))
    return events
  }

  private func event(
    _ kind: SessionEvent.Kind, in bench: SessionBench, _ act: (RecordingSession) async throws -> Void
  ) async throws -> SessionEvent? {
    let events = try await events(bench, act).filter { $0.kind == kind }
    #expect(events.count == 1)
    return events.first
  }

  @Test("§5: Who speaks after somebody else is told, and the report knows both")
  func speakers() async throws {
    var bench = try SessionBench()
    bench.script = ["a", "a", "b", "a"].enumerated().map { index, speaker in
      let span = TimeSpan(frames: Int64(index) * 8_000..<Int64(index + 1) * 8_000, sampleRate: 16_000)
      let segment = SpeakerSegment(speakerID: speaker, span: span, associatedTranscriptSequence: index, text: "So.")
      let transcript = Transcript(
        sentenceIndex: index, text: "So.", stablePrefix: "So.", isSentenceFinal: true, span: span, languageCode: "en",
        speakerSegments: [segment], sequence: index)
      return ScriptStep(.frame(Int64(index + 1) * 8_000), .deliver(.transcript(transcript)))
    }
    let (_, seen) = try await bench.whole()
    let changes = seen.report.sessionEvents.filter { $0.event == "speakerChanged" }
    #expect(changes.map(\.details) == [["from": "a", "to": "b"], ["from": "b", "to": "a"]])
    #expect(changes.map(\.time) == [1, 1.5] && seen.report.speakers.map(\.speakerId).sorted() == ["a", "b"])
  }

  @Test("§5: What the session tells has evidence and a moment that never falls; the report agrees")
  func moments() async throws {
    let bench = try SessionBench()
    let events = try await events(bench) { session in
      bench.source.speak(seconds: 1)
      bench.source.lose(seconds: 0.5)
      bench.source.speak(seconds: 2)
      #expect(await eventually { bench.writer.frameCount == 56_000 })
      let details = ["device": "pendant"]
      session.tell(SessionEvent(.bleDisconnected, time: 3.5, details: details, evidence: "no packet came"))
    }
    let moments = events.compactMap { $0.moment?.sessionSeconds }
    #expect(moments.count == events.count && moments == moments.sorted() && (moments.first ?? -1) >= 0)
    let own: Set<SessionEvent.Kind> = [
      .userInitiatedToStart, .sessionStarted, .userInitiatedToEndSession, .sessionEnded, .bleDisconnected,
    ]
    #expect(events.filter { own.contains($0.kind) }.map(\.kind).count == 5)
    #expect(events.allSatisfy { $0.evidence?.isEmpty == false })
    #expect(events.contains { $0.kind == .audioDropped && $0.details["reason"] == "overrun" })
    let ended = events.last
    #expect(ended?.kind == .sessionEnded && ended?.time == 3.5)
  }

  @Test("§5: A dead or muted microphone is told as silent, one that is too loud as clipping")
  func oddInput() async throws {
    let silent = try SessionBench(wantsTranscript: false)
    let event = try await event(.inputSilent, in: silent) { _ in silent.source.speak(seconds: 3, 0) }
    #expect(event?.details["seconds"] == "2.0" && event?.evidence?.contains("muted") == true)
    let loud = try SessionBench(wantsTranscript: false)
    let clipping = try await self.event(.inputClipping, in: loud) { _ in loud.source.speak(seconds: 2, 1) }
    #expect(clipping?.details["share"] != nil && clipping?.evidence != nil)
  }

  @Test("C1: Nothing for two seconds is told once, and that there is sound again; a pause is no stall")
  func stalled() async throws {
    var bench = try SessionBench(wantsTranscript: false)
    let clock = ManualClock()
    bench.clock = clock
    let session = bench.session()
    try await session.start()
    // Before anything came nothing is late.
    clock.advance(by: .seconds(60))
    bench.source.speak(seconds: 1)
    #expect(await eventually { bench.writer.frameCount == 16_000 && clock.sleeperCount == 1 })
    bench.source.speak(seconds: 1)
    #expect(await eventually { bench.writer.frameCount == 32_000 })
    session.pause()
    for _ in 0..<3 { await pass(.seconds(2), on: clock) }
    session.resume()
    await pass(.milliseconds(1_999), on: clock)
    #expect(notices(bench).isEmpty)
    clock.advance(by: .milliseconds(1))
    #expect(await eventually { notices(bench) == ["inputStalled"] })
    clock.advance(by: .seconds(60))
    bench.source.speak(seconds: 1)
    #expect(await eventually { notices(bench) == ["inputStalled", "inputRestored"] })
    session.stop()
    let report = await session.seen().report
    #expect(report.notices.map(\.kind) == ["inputStalled", "inputRestored"])
    #expect(report.notices.map(\.message) == ["nothing came from the source for 2.0 s", "there is sound again"])
    let told = report.sessionEvents.filter { $0.event == "inputSilent" }
    #expect(told.count == 1 && told.first?.time == 2 && told.first?.details["kind"] == "inputStalled")
  }

  private func notices(_ bench: SessionBench) -> [String] {
    bench.journal.entries.compactMap { if case .notice(let notice) = $0 { notice.kind } else { nil } }
  }

  /// Lets time go by for who waits, and waits until it waits again.
  private func pass(_ time: Duration, on clock: ManualClock) async {
    clock.advance(by: time)
    await clock.waitForSleepers(1)
  }

  @Test("§5: Another device is another route; one that sleeps is an interruption until it is awake")
  func route() async throws {
    let bench = try SessionBench(wantsTranscript: false)
    let kinds: [(CaptureEvent.Kind, SessionEvent.Kind)] = [
      (.streamMoved, .inputRouteChanged), (.streamSuspended, .interruptionBegan),
      (.streamResumed, .interruptionEnded), (.inputStalled, .inputSilent),
      (.defaultDeviceChanged, .audioNotice),
    ]
    let events = try await events(bench) { _ in
      bench.source.speak(seconds: 1)
      for (kind, _) in kinds {
        bench.source.notice(CaptureEvent(kind, "so it is", details: ["from": "a", "to": "b"]))
      }
    }
    let told = events.filter { event in kinds.contains { $0.1 == event.kind } }
    #expect(told.map(\.kind) == kinds.map(\.1) && told.allSatisfy { $0.time == 1 })
    #expect(told.dropLast().allSatisfy { $0.details["to"] == "b" && $0.evidence == "so it is" })
  }

  @Test("§5: Little room on the disk is told once", arguments: [true, false])
  func storage(isLow: Bool) async throws {
    var bench = try SessionBench(wantsTranscript: false)
    bench.writer = MemoryWriter(freeByteCount: isLow ? 500 << 20 : 600 << 20)
    let events = try await events(bench) { _ in bench.source.speak(seconds: 2) }.filter { $0.kind == .storageLow }
    #expect(events.map { $0.details["freeByteCount"] } == (isLow ? ["\(500 << 20)"] : []))
  }

  @Test("§5: Withdrawn consent is told, ends a source that is silent as well, and nothing passes any more")
  func withdrawn() async throws {
    for hasEnd in [true, false] {
      var bench = try SessionBench(wantsTranscript: false)
      bench.hasEnd = hasEnd
      let session = bench.session()
      try await session.start()
      bench.source.speak(seconds: 1)
      #expect(await eventually { bench.writer.frameCount == 16_000 })
      session.withdrawConsent()
      bench.source.speak(seconds: 1)
      let seen = await session.seen()
      #expect(seen.events.contains("consentWithdrawn") && seen.report.activeDuration == 1)
      let end = seen.events.drop { $0 != "consentWithdrawn" }
      #expect(end == ["consentWithdrawn", "userInitiatedToEndSession", "sessionEnded"])
    }
  }

  @Test("§5: What takes the source away is told before the end that it makes")
  func interrupted() async throws {
    let bench = try SessionBench()
    let session = bench.session()
    bench.source.speak(seconds: 3)
    try await session.start()
    session.interrupt(.incomingCall)
    let seen = await session.seen()
    let report = seen.report
    #expect(report.stopReason == .interrupted && report.isStoppedByInterruption && !report.isIncomplete)
    let told = seen.events.filter { $0 == "interruptionBegan" || $0 == "autoEndSessionTriggered" }
    #expect(told == ["interruptionBegan", "autoEndSessionTriggered"] && seen.finals.count == 2)
    #expect(report.sessionEvents.first { $0.event == "interruptionBegan" }?.details["reason"] == "incomingCall")
  }

  @Test("§5: A program that is about to end is told, and its recording ends soon with what there is")
  func terminating() async throws {
    var bench = try SessionBench()
    bench.script = RecordingBench.speech + [ScriptStep(.finish, .hold(ScriptGate()))]
    bench.clock = StepClock(sleeps: .pass)
    bench.configuration.lastResults = .seconds(1_000)
    let session = bench.session()
    bench.source.speak(seconds: 3)
    try await session.start()
    session.appWillTerminate()
    let seen = await session.seen()
    let told = seen.events.filter { ["appWillTerminate", "autoEndSessionTriggered"].contains($0) }
    #expect(told == ["appWillTerminate", "autoEndSessionTriggered"] && seen.report.isStoppedByInterruption)
  }

  @Test("§5: The numbers of the reasons of interruptions are those of the devices")
  func interruptionReasons() {
    let reasons: [InterruptionReason] = [.unknown, .lowBattery, .incomingCall, .other]
    #expect(reasons.map(\.rawValue) == [-1, 1, 2, 255])
    #expect(reasons.map { InterruptionReason(number: $0.rawValue) } == reasons)
    #expect(InterruptionReason(number: 7) == .unknown)
  }

  @Test("§4: Old reports and journals have events without moments; new ones keep theirs")
  func codable() throws {
    let old = #"{"details":{},"event":"paused","eventType":106,"time":1}"#
    let event = try JSONDecoder().decode(ReportEvent.self, from: Data(old.utf8))
    #expect(event.timestamp == nil && event.evidence == nil && event.error == nil && event.time == 1)
    let error = SessionEvent.Failure(RecognitionError(.network, "no"))
    var new = SessionEvent(.aiServiceNetworkError, time: 2, evidence: "no answer", error: error)
    new.moment = SessionEvent.Moment(millisecondsSince1970: 1_738_315_800_250, sessionSeconds: 2.5)
    let written = ReportEvent(new)
    let back = try JSONDecoder().decode(ReportEvent.self, from: try JSONEncoder().encode(written))
    #expect(back == written && back.timestamp == Samples.start && back.timeSinceSessionStart == 2.5)
    let line = try LiveLine().line(SessionDelivery(emitted: 0, result: .event(new)))
    #expect(line.contains(#""timeSinceSessionStart":2.5,"evidence":"no answer","error":{"code":"network","#))
  }
}
