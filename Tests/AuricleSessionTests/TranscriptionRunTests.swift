import AuricleAudio
import AuricleRecognition
import AuricleSession
import AuricleTestKit
import Synchronization
import Testing

@Suite("A run from a source to a report", .timeLimit(.minutes(5)))
struct TranscriptionRunTests {
  /// Two sentences in three seconds.
  private let script =
    ScriptStep.sentence(0, "Ask not what.", frames: 1_600..<16_000)
    + ScriptStep.sentence(1, "Ask what you.", frames: 20_000..<40_000)
  private let threeSeconds = (0..<30).map { Samples.block($0 * 1_600, 1_600) }

  @Test("Words, gaps and notices come in one stream that ends with one finish")
  func whole() async throws {
    let gap = AudioGap(frames: 48_000..<49_600, sampleRate: 16_000, reason: .damaged)
    let notice = AudioNotice(.damagedAudio, "cut short")
    let source = ListSource(threeSeconds + [.gap(gap), .notice(notice), Samples.block(49_600, 1_600)])
    let seen = try await Runner(script: script).run(source)
    #expect(seen.finals == ["Ask not what.", "Ask what you."])
    let service = ["aiServiceConnected", "aiServiceStartRecording"]
    #expect(seen.events == service + ["audioDropped", "audioNotice", "aiServiceEndRecording"])
    #expect(seen.finishCount == 1 && seen.isFinishLast)
    #expect(seen.report.audio.duration == 3.2 && seen.report.activeDuration == 3.1)
    #expect(!seen.report.isIncomplete && seen.report.gaps.count == 1 && seen.report.notices.count == 1)
    #expect(seen.report.sessionEvents.map(\.event) == seen.events)
    #expect(seen.report.sessionEvents.first { $0.event == "audioNotice" }?.time == 3.1)
  }

  @Test("Times since the first audio never fall")
  func emitted() async throws {
    let seen = try await Runner(script: script).run(ListSource(threeSeconds))
    let transcripts = zip(seen.kinds, seen.emitted).filter { $0.0 == "transcript" }
    #expect(seen.emitted == seen.emitted.sorted() && transcripts.allSatisfy { $0.1 > 0 })
    #expect(!transcripts.isEmpty)
  }

  @Test("Without audio nothing was emitted later than 0")
  func noAudio() async throws {
    let seen = try await Runner(script: script).run(ListSource([]))
    #expect(seen.emitted.allSatisfy { $0 == 0 } && seen.report.transcripts.isEmpty && !seen.report.isIncomplete)
  }

  @Test("A source that fails: what was heard, the error, the finish")
  func sourceFails() async throws {
    let source = ListSource(Array(threeSeconds.prefix(15)), error: AudioError(.readFailed, "the disk is gone"))
    let seen = try await Runner(script: script).run(source)
    #expect(seen.finals == ["Ask not what."])
    #expect(seen.kinds.suffix(2) == ["error", "finish"])
    #expect(seen.report.incompleteReason == .sourceFailed && seen.report.errors.map(\.code) == ["readFailed"])
    #expect(!seen.report.isStoppedByInterruption && seen.report.audio.duration == 1.5)
  }

  @Test("Stopped while the source waits: the last results come, and the report is incomplete")
  func stopped() async throws {
    let stop = StopSignal()
    let source = ListSource(Array(threeSeconds.prefix(15)), end: .wait(onArrival: { stop.stop() }))
    let closing = [ScriptStep(.finish, .deliver(.transcript(Samples.final(7, "The last words.", 1, 1.5))))]
    let seen = try await Runner(script: script + closing, stop: stop).run(source)
    #expect(seen.finals == ["Ask not what.", "The last words."])
    #expect(seen.report.incompleteReason == .interrupted && seen.report.isStoppedByInterruption)
    #expect(seen.kinds.last == "finish" && seen.finishCount == 1)
  }

  @Test("Stopped before it begins: nothing is fed")
  func stoppedBefore() async throws {
    let stop = StopSignal()
    stop.stop()
    let seen = try await Runner(script: script, stop: stop).run(ListSource(threeSeconds))
    #expect(seen.finals.isEmpty && seen.report.isIncomplete && seen.report.audio.duration == 0)
  }

  @Test("Stopped with a recogniser that never comes to an end: the limit ends it")
  func stoppedAndStuck() async throws {
    let stop = StopSignal()
    let gate = ScriptGate()
    let source = ListSource(Array(threeSeconds.prefix(15)), end: .wait(onArrival: { stop.stop() }))
    let seen = try await Runner(script: [ScriptStep(.finish, .hold(gate))], stop: stop, sleeps: .pass).run(source)
    #expect(seen.report.incompleteReason == .interrupted && seen.kinds.last == "finish")
    #expect(seen.finals.isEmpty && seen.finishCount == 1)
  }

  @Test("The last results do not come in time after the end")
  func lateResults() async throws {
    let runner = Runner(script: script + [ScriptStep(.finish, .hold(ScriptGate()))], sleeps: .pass)
    let seen = try await runner.run(ListSource(threeSeconds))
    #expect(seen.report.incompleteReason == .timedOut && seen.kinds.last == "finish")
  }

  @Test("A recogniser that refuses for good ends the run")
  func recogniserFails() async throws {
    let error = RecognitionError(.invalidModel, "the engine will not have it")
    let source = ListSource(threeSeconds, end: .wait(onArrival: {}))
    let seen = try await Runner(script: script + [ScriptStep(.frame(41_000), .fail(error))]).run(source)
    #expect(seen.finals.count == 2 && seen.kinds.contains("error") && seen.kinds.last == "finish")
    #expect(seen.report.incompleteReason == .recognitionFailed)
  }

  @Test("A cancelled task still gets its report, and soon")
  func cancelled() async throws {
    let runner = Runner(script: script + [ScriptStep(.finish, .hold(ScriptGate()))])
    let reached = ScriptGate()
    let source = ListSource(threeSeconds, end: .wait(onArrival: { reached.open() }))
    let task = Task { try await runner.run(source) }
    await reached.pass()
    task.cancel()
    let seen = try await task.value
    #expect(seen.report.incompleteReason == .interrupted && seen.kinds.last == "finish" && seen.finishCount == 1)
  }

  @Test("A slow reader gets every final and the newest texts, and nothing grows meanwhile")
  func slowReader() async throws {
    let sentences = (0..<200).flatMap { index in
      ScriptStep.sentence(index, "one two three four.", frames: Int64(index * 1_600)..<Int64(index * 1_600 + 1_600))
    }
    let blocks = (0..<200).map { Samples.block($0 * 1_600, 1_600) }
    var runner = Runner(script: sentences)
    runner.delay = { for _ in 0..<20 { await Task.yield() } }
    let seen = try await runner.run(ListSource(blocks))
    #expect(seen.finals.count == 200 && seen.report.transcripts.count == 200)
  }

  @Test("The blocks are no longer than a tenth of a second")
  func blockLength() async throws {
    let source = ListSource([])
    _ = try await Runner(script: []).run(source)
    #expect(source.maxFrames == [1_600])
  }
}

@Suite("The stop signal", .timeLimit(.minutes(5)))
struct StopSignalTests {
  @Test("It frees all who wait, and whoever comes later")
  func freesAll() async {
    let stop = StopSignal()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { await stop.wait() } }
      group.addTask {
        stop.stop()
        stop.stop()
        return true
      }
      for await isStopped in group { #expect(isStopped) }
    }
    #expect(await stop.wait())
  }

  @Test("A cancelled task waits no longer")
  func cancelled() async {
    for _ in 0..<200 {
      let stop = StopSignal()
      let task = Task { await stop.wait() }
      task.cancel()
      #expect(await task.value == false)
    }
  }
}
