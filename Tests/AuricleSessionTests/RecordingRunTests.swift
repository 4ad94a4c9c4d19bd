import AuricleAudio
import AuricleConsent
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

@Suite("A recording from its first sample to its report", .timeLimit(.minutes(5)))
struct RecordingRunTests {
  private func report(in bench: RecordingBench) throws -> RecordingReport {
    try JSONDecoder().decode(RecordingReport.self, from: Data(bench.folder.read("report.json").utf8))
  }

  @Test("The end of the source is a normal end: file, texts, report, and no journal")
  func whole() async throws {
    let bench = try RecordingBench()
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(seen.finals == ["Ask not what.", "Ask what you."] && seen.isFinishLast && seen.finishCount == 1)
    #expect(bench.folder.names == ["report.json", "transcript.srt", "transcript.txt"])
    #expect(try bench.folder.read("transcript.txt") == "Ask not what.\nAsk what you.\n")
    #expect(try report(in: bench) == seen.report)
    #expect(seen.report.stopReason == .userInitiated && !seen.report.isIncomplete && seen.report.audio.duration == 3)
    #expect(seen.report.consent?.participants == ["a"] && seen.report.provider?.model == "script")
    #expect(seen.report.rawAudioFilePath == "\(bench.folder.path)/audio.wav")
    #expect(bench.writer.isFinished && bench.journal.isRemoved)
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(bench.folder.path)/report.json")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("The journal begins with the header, holds each final, and folds to the report")
  func journal() async throws {
    let bench = try RecordingBench()
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    guard case .header(let header) = bench.journal.entries.first else { return #expect(Bool(false), "no header") }
    #expect(header.consent?.participants == ["a"] && header.startTime == Samples.start)
    #expect(JournalFold(folder: bench.folder.path, lines: bench.journal.lines).report == seen.report)
  }

  @Test("Audio is taken on the recording's own thread")
  func thread() async throws {
    let bench = try RecordingBench()
    _ = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(bench.writer.foreignCount == 0 && bench.writer.frameCount == 48_000)
  }

  @Test("Recording begins before the recogniser is there, and text catches up")
  func lateRecogniser() async throws {
    var bench = try RecordingBench()
    let gate = ScriptGate()
    let writer = bench.writer
    bench.load = { await gate.pass() }
    bench.onDelivery = { delivery in
      // The file is closed before the recogniser is even loaded.
      if case .recording(let status) = delivery.result, status.phase == .finishing { gate.open() }
    }
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(writer.frameCount == 48_000 && seen.finals.count == 2 && !seen.report.isIncomplete)
  }

  @Test("A recogniser that does not load costs text, never audio")
  func noRecogniser() async throws {
    var bench = try RecordingBench()
    bench.load = { throw RecognitionError(.notConfigured, "no model: run make setup") }
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(bench.writer.frameCount == 48_000 && bench.writer.isFinished)
    #expect(seen.report.incompleteReason == .recognitionFailed && seen.report.errors.map(\.code) == ["notConfigured"])
    #expect(seen.report.stopReason == .userInitiated && bench.journal.isRemoved)
  }

  @Test("A recogniser that fails in the middle costs the text behind it, never audio")
  func failingRecogniser() async throws {
    var bench = try RecordingBench()
    let error = RecognitionError(.failed, "the engine gave up")
    bench.script = Array(RecordingBench.speech.prefix(3)) + [ScriptStep(.frame(17_000), .fail(error))]
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(seen.finals == ["Ask not what."] && bench.writer.frameCount == 48_000)
    #expect(seen.report.incompleteReason == .recognitionFailed && seen.kinds.contains("error"))
  }

  @Test("A recogniser that hangs is given up after a while without results; the file was closed before")
  func hangingRecogniser() async throws {
    var bench = try RecordingBench()
    bench.script = RecordingBench.speech + [ScriptStep(.finish, .hold(ScriptGate()))]
    bench.sleeps = .pass
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(seen.report.incompleteReason == .timedOut && bench.writer.isFinished && bench.journal.isRemoved)
    #expect(!seen.report.isStoppedByInterruption)
  }

  @Test("A recogniser that never loads is given up as well")
  func neverLoading() async throws {
    var bench = try RecordingBench()
    bench.load = {
      await ScriptGate().pass()
      throw CancellationError()
    }
    bench.sleeps = .pass
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(seen.report.incompleteReason == .timedOut && seen.report.audio.duration == 3 && bench.journal.isRemoved)
  }

  @Test("Without a recogniser there is no text, and nothing is missing")
  func audioOnly() async throws {
    var bench = try RecordingBench()
    bench.script = nil
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(seen.report.transcripts.isEmpty && !seen.report.isIncomplete && seen.report.provider == nil)
    #expect(try bench.folder.read("transcript.txt").isEmpty)
  }

  @Test("Stopped while the source is silent: at once, with a normal end")
  func stopped() async throws {
    let bench = try RecordingBench()
    let stop = bench.stop
    let source = ListSource(RecordingBench.threeSeconds, end: .wait(onArrival: { stop.stop() }))
    let seen = await bench.run(source)
    #expect(seen.report.stopReason == .userInitiated && seen.finals.count == 2 && !seen.report.isIncomplete)
    #expect(!seen.report.isStoppedByInterruption)
  }

  @Test("A device that is told to stop still gives what it has heard")
  func device() async throws {
    var bench = try RecordingBench()
    bench.stop.stop()
    bench.script = nil
    let asked = StopSignal()
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds), end: { asked.stop() })
    #expect(asked.isStopped && seen.report.audio.duration == 3 && seen.report.stopReason == .userInitiated)
  }

  @Test("A length ends it to the frame", arguments: [0.5, 1.23456, 2.0])
  func length(seconds: Double) async throws {
    var bench = try RecordingBench()
    bench.limits.seconds = seconds
    bench.limits.secondsReason = .maxDurationReached
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(bench.writer.frameCount == Int64((seconds * 16_000).rounded()))
    #expect(seen.report.stopReason == .maxDurationReached && !seen.report.isIncomplete)
  }

  @Test("Cancelled: a whole file and a report, soon")
  func cancelled() async throws {
    var bench = try RecordingBench()
    bench.script = RecordingBench.speech + [ScriptStep(.finish, .hold(ScriptGate()))]
    let reached = ScriptGate()
    let source = ListSource(RecordingBench.threeSeconds, end: .wait(onArrival: { reached.open() }))
    let task = Task { [bench] in await bench.run(source) }
    await reached.pass()
    task.cancel()
    let seen = await task.value
    #expect(bench.writer.isFinished && bench.folder.names.contains("report.json"))
    #expect(seen.report.stopReason == .interrupted && seen.report.incompleteReason == .interrupted)
  }

  @Test("However long the text is, a reader that does not come back holds up neither files nor report")
  func noReader() async throws {
    var bench = try RecordingBench()
    let gate = ScriptGate()
    let count = 4 * DeliveryQueue.capacity
    bench.script = (0..<count).flatMap { index -> [ScriptStep] in
      let start = Int64(index) * 160
      return ScriptStep.sentence(index, "Number \(index).", frames: start..<(start + 150))
    }
    bench.onDelivery = { _ in await gate.pass() }
    let task = Task { [bench] in await bench.run(ListSource(RecordingBench.threeSeconds)) }
    let limit = ContinuousClock.now + .seconds(240)
    while !bench.journal.isRemoved, ContinuousClock.now < limit { try? await Task.sleep(for: .milliseconds(1)) }
    #expect(bench.journal.isRemoved && bench.folder.names == ["report.json", "transcript.srt", "transcript.txt"])
    let written = try report(in: bench)
    #expect(written.transcripts.count == count && written.audio.duration == 3 && !written.isIncomplete)
    gate.open()
    let seen = await task.value
    #expect(seen.finals.count == count && seen.isFinishLast && seen.finishCount == 1 && seen.report == written)
  }

  @Test("Who recognises waits for a slow reader while it records, and for nobody once cancelled or let go")
  func queue() async throws {
    let ends: [@Sendable (DeliveryQueue, Task<Void, Never>) -> Void] = [
      { _, task in task.cancel() }, { queue, _ in queue.letGo() }, { queue, _ in queue.finish() },
    ]
    for end in ends {
      let queue = DeliveryQueue()
      for _ in 0..<DeliveryQueue.capacity { await queue.send(.event(SessionEvent(.paused, time: 0))) }
      let task = Task { await queue.send(.event(SessionEvent(.resumed, time: 1))) }
      try? await Task.sleep(for: .milliseconds(20))
      end(queue, task)
      await task.value
      queue.finish()
      var count = 0
      while await queue.next() != nil { count += 1 }
      #expect(count == DeliveryQueue.capacity + 1)
    }
  }
}
