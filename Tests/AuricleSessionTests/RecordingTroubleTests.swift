import AuricleAudio
import AuricleConsent
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

@Suite("Recordings with gaps and trouble", .timeLimit(.minutes(5)))
struct RecordingTroubleTests {
  private static func gap(_ start: Int64, _ end: Int64, _ reason: AudioGap.Reason = .paused) -> AudioChunk {
    .gap(AudioGap(frames: start..<end, sampleRate: 16_000, reason: reason))
  }

  @Test("A pause is one gap whose times agree with the file, whatever its pieces; its words stand behind it")
  func paused() async throws {
    let bench = try RecordingBench()
    let pause = (0..<25).map { Self.gap(16_000 + $0 * 1_600, 17_600 + $0 * 1_600) }
    let after = (0..<5).map { Samples.block(56_000 + $0 * 1_600, 1_600) }
    let seen = await bench.run(ListSource(Array(RecordingBench.threeSeconds.prefix(10)) + pause + after))
    #expect(seen.report.gaps == [ReportGap(AudioGap(frames: 16_000..<56_000, sampleRate: 16_000, reason: .paused))])
    #expect(seen.report.audio.duration == 4 && seen.report.activeDuration == 1.5)
    #expect(seen.events == ["paused", "resumed"] && seen.report.sessionEvents.map(\.time) == [1, 3.5])
    let noted = bench.journal.entries.compactMap { entry in
      if case .gap(let gap) = entry { gap } else { nil }
    }
    #expect(noted.map(\.start) == [16_000, 32_000, 48_000] && noted.last?.end == 56_000)
  }

  @Test("Lost audio is told once it is over, and counted; a pause is not")
  func lost() async throws {
    let bench = try RecordingBench()
    let seen = await bench.run(
      ListSource([
        Samples.block(0, 1_600), Self.gap(1_600, 3_200, .overrun), Self.gap(3_200, 4_800, .overrun),
        Self.gap(4_800, 8_000), Samples.block(8_000, 1_600),
      ]))
    #expect(seen.events == ["audioDropped", "paused", "resumed"])
    let statuses = seen.deliveries.compactMap { delivery in
      if case .recording(let status) = delivery.result { status } else { nil }
    }
    #expect(statuses.last?.phase == .finishing && statuses.contains { $0.missingSeconds == 0.2 })
  }

  @Test("A recording that begins with a gap is stamped from there on")
  func gapFirst() async throws {
    let bench = try RecordingBench()
    let seen = await bench.run(ListSource([Self.gap(0, 8_000)] + (5..<30).map { Samples.block($0 * 1_600, 1_600) }))
    let stamps = seen.deliveries.map(\.emitted)
    #expect((stamps.last ?? 0) > 0 && stamps == stamps.sorted() && seen.finals.count == 2)
  }

  @Test("A full disk ends it with its reason and a whole file")
  func full() async throws {
    var bench = try RecordingBench()
    let error = SessionFailure(domain: SessionFailure.recordingDomain, code: "storageFull", message: "the disk is full")
    bench.writer = MemoryWriter(failure: (frame: 16_000, error: error))
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(seen.report.stopReason == .storageFull && seen.report.incompleteReason == .recordingFailed)
    #expect(seen.report.audio.duration == 1 && seen.finals == ["Ask not what."] && bench.writer.isFinished)
    #expect(seen.report.errors == [error] && seen.kinds.contains("error"))
  }

  @Test(
    "A source that fails ends it with its reason",
    arguments: [
      (AudioError.Kind.deviceLost, StopReason.disconnected), (.serverLost, .deviceError), (.readFailed, .deviceError),
    ] as [(AudioError.Kind, StopReason)])
  func failing(kind: AudioError.Kind, reason: StopReason) async throws {
    let bench = try RecordingBench()
    let source = ListSource(RecordingBench.threeSeconds, error: AudioError(kind, "it is gone"))
    let seen = await bench.run(source)
    #expect(seen.report.stopReason == reason && seen.report.incompleteReason == .sourceFailed)
    #expect(seen.finals.count == 2 && seen.report.audio.duration == 3 && bench.journal.isRemoved)
  }

  @Test("A journal that cannot be written costs no audio and is told once")
  func noJournal() async throws {
    var bench = try RecordingBench()
    let error = SessionFailure(domain: SessionFailure.recordingDomain, code: "writeFailed", message: "no")
    bench.journal = MemoryJournal(failure: error)
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(seen.report.errors == [error] && seen.report.audio.duration == 3 && seen.finals.count == 2)
  }

  @Test("A folder that goes away: the failure is told, and the journal stays for whoever finds it")
  func noFolder() async throws {
    let bench = try RecordingBench()
    try FileManager.default.removeItem(atPath: bench.folder.path)
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(seen.report.errors.map(\.code) == ["writeFailed"] && !bench.journal.isRemoved && seen.isFinishLast)
  }

  @Test("Withdrawn consent ends it, and what came after it is not there")
  func withdrawn() async throws {
    let bench = try RecordingBench()
    bench.gate.withdraw()
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(seen.report.audio.duration == 0 && seen.report.stopReason == .userInitiated)
    #expect(seen.report.sessionEvents.map(\.event) == ["consentWithdrawn"])
  }

  @Test("C1: A source that delivers nothing but zeros, or is too loud, is told with its place")
  func oddSource() async throws {
    func second(_ number: Int64, _ sample: Float) -> AudioChunk {
      let samples = [Float](repeating: sample, count: 16_000)
      return .audio(PCMBlock(format: .speech, startFrame: number * 16_000, samples: samples))
    }
    let bench = try RecordingBench()
    let seen = await bench.run(ListSource((0..<3).map { second($0, 0) } + (3..<5).map { second($0, 1) }))
    #expect(seen.report.notices.map(\.kind) == ["inputSilent", "inputRestored", "inputClipping"])
  }

  @Test("Whatever ends it, its source is let go of and nothing more passes the gate")
  func letGo() async throws {
    let bench = try RecordingBench()
    let isEnded = StopSignal()
    _ = await bench.run(ListSource(RecordingBench.threeSeconds), end: { isEnded.stop() })
    #expect(isEnded.isStopped && bench.gate.state != .open)
  }

  @Test("A hurry shortens the wait for the last results")
  func hurry() async throws {
    var bench = try RecordingBench()
    bench.script = RecordingBench.speech + [ScriptStep(.finish, .hold(ScriptGate()))]
    bench.hurry.stop()
    bench.stop.stop()
    bench.sleeps = .pass
    let seen = await bench.run(ListSource(RecordingBench.threeSeconds))
    #expect(seen.report.incompleteReason == .timedOut && seen.finishCount == 1)
  }

  @Test("The recording's thread serves many tasks, one at a time")
  func thread() async {
    let thread = RecordingThread()
    let counts = Guarded((running: 0, most: 0, foreign: 0))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask(executorPreference: thread) {
          for _ in 0..<10 {
            counts.withLock { counts in
              counts.running += 1
              counts.most = max(counts.most, counts.running)
              counts.foreign += RecordingThread.isCurrent ? 0 : 1
            }
            counts.withLock { $0.running -= 1 }
            await Task.yield()
          }
        }
      }
    }
    #expect(counts.withLock { $0.most } == 1 && counts.withLock { $0.foreign } == 0)
  }
}
