import AuricleAudio
import AuricleConsent
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

/// SplitMix64 that many may ask.
final class SharedRandom: Sendable {
  private let random: Guarded<SeededRandom>
  init(seed: UInt64) { random = Guarded(SeededRandom(seed: seed)) }

  func next(below bound: UInt64) -> UInt64 { random.withLock { $0.next() % bound } }

  /// Waits a random time, whether or not the task is cancelled.
  func wait() async {
    let length = next(below: 4) == 0 ? next(below: 1_500) : 0
    guard length > 0 else { return }
    await Task.detached { try? await Task.sleep(for: .microseconds(length)) }.value
  }
}

@Suite("One recording after the other", .timeLimit(.minutes(10)))
struct RecordingSlotTests {
  @Test("§2: While one records nobody else does; the place is free as soon as the audio is over")
  func busy() async throws {
    let bench = try SessionBench()
    let slot = RecordingSlot()
    let turn = try slot.take(bench.configuration, environment: bench.environment)
    #expect(turn.generation == 1 && slot.current?.session === turn.session && slot.isLatest(1))
    let refused = await refusal(slot, bench)
    #expect(refused?.code == "busy")
    try await turn.session.start()
    #expect(await refusal(slot, bench)?.code == "busy")
    turn.session.stop()
    _ = await turn.session.audioEnd()
    #expect(slot.current == nil)
    let next = try slot.take(bench.configuration, environment: bench.environment)
    #expect(next.generation == 2 && !slot.isLatest(1))
    slot.release(1)
    #expect(slot.current?.generation == 2)
    slot.release(2)
    #expect(slot.current == nil)
  }

  private func refusal(_ slot: RecordingSlot, _ bench: SessionBench) async -> SessionFailure? {
    do {
      _ = try slot.take(bench.configuration, environment: bench.environment)
      return nil
    } catch {
      return error
    }
  }

  @Test("§2: A thousand rounds with everything late at random: no result crosses from one session to another")
  func thousand() async throws {
    let random = SharedRandom(seed: 4)
    let slot = RecordingSlot()
    let rounds = Guarded((started: 0, failed: 0, finished: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      var latest = 0
      for round in 0..<1_000 {
        let bench = try makeBench(round, random)
        let turn = try slot.take(bench.configuration, environment: bench.environment)
        #expect(turn.generation > latest)
        latest = turn.generation
        group.addTask { await read(turn.session, round, bench, rounds) }
        if round % 3 == 0 {
          // Stopped at any moment of the start.
          async let outcome = failure(of: turn.session)
          await random.wait()
          turn.session.stop()
          let result = await outcome
          #expect(result == nil || result?.code == "cancelled")
        } else {
          let result = await failure(of: turn.session)
          #expect(result == nil)
          await random.wait()
          if round % 5 == 0 { turn.session.cancel() } else { turn.session.stop() }
        }
        _ = await turn.session.audioEnd()
        #expect(slot.current == nil)
      }
      try await group.waitForAll()
    }
    let counts = rounds.withLock { $0 }
    #expect(counts.started + counts.failed == 1_000 && counts.finished == counts.started && counts.started >= 666)
  }

  func makeBench(_ round: Int, _ random: SharedRandom) throws -> SessionBench {
    var bench = try SessionBench()
    bench.configuration.consent = try ConsentRecord(
      participants: ["round-\(round)"], grantedAtMilliseconds: 0, policyRevision: "1")
    let frames: [Int64] = [1_600, 3_200, 4_800]
    bench.script = frames.indices.flatMap { index in
      ScriptStep.sentence(index, "Round \(round) says \(index).", frames: frames[index] - 1_600..<frames[index] - 100)
    }
    let script = ScriptedProvider(bench.script)
    bench.providers = [
      ServiceProvider(
        vendor: "late", version: "1", capabilities: script.capabilities,
        recognition: { () async throws(RecognitionError) in
          await random.wait()
          return LateProvider(script: script, random: random)
        })
    ]
    bench.whileOpening = { await random.wait() }
    bench.clock = ContinuousClock()
    bench.source.speak(seconds: 0.3)
    return bench
  }

  /// Reads one session to its end: everything in it is its own.
  func read(
    _ session: RecordingSession, _ round: Int, _ bench: SessionBench,
    _ rounds: Guarded<(started: Int, failed: Int, finished: Int)>
  ) async {
    let deliveries = await session.all()
    var (started, failed, finished) = (0, 0, 0)
    for delivery in deliveries {
      switch delivery.result {
      case .transcript(let transcript): #expect("Round \(round) says 012".hasPrefix(transcript.text.dropLast(2)))
      case .event(let event):
        if event.kind == .sessionStarted { started += 1 }
        if event.kind == .sessionStartFailed { failed += 1 }
      case .failure, .recording: break
      case .finish(let report):
        finished += 1
        #expect(report.consent?.participants == ["round-\(round)"])
        #expect(report.rawAudioFilePath?.hasPrefix(bench.path) == true)
        #expect(report.transcripts.allSatisfy { $0.text.hasPrefix("Round \(round) says ") })
      }
    }
    #expect(started + failed == 1 && finished == started)
    if finished == 1 {
      guard case .finish = deliveries.last?.result else { return #expect(Bool(false), "the finish is not last") }
    }
    #expect(await eventually { bench.source.isOver || bench.openCount.withLock { $0 } == 0 })
    rounds.withLock { counts in
      counts.started += started
      counts.failed += failed
      counts.finished += finished
    }
  }
}

/// A provider whose sessions are late with everything.
private struct LateProvider: RecognitionProvider {
  let script: ScriptedProvider
  let random: SharedRandom
  var vendor: String { "late" }
  var model: String { "script" }
  var capabilities: ProviderCapabilities { script.capabilities }

  func startSession(
    _ configuration: RecognitionConfiguration
  ) async throws(RecognitionError) -> any RecognitionSession {
    await random.wait()
    return LateSession(inner: try await script.startSession(configuration), random: random)
  }
}

private struct LateSession: RecognitionSession {
  let inner: any RecognitionSession
  let random: SharedRandom
  var results: ResultStream { inner.results }

  func accept(_ chunk: AudioChunk) async throws(RecognitionError) {
    await random.wait()
    try await inner.accept(chunk)
  }

  func finish() async {
    await random.wait()
    await inner.finish()
  }

  func cancel() async { await inner.cancel() }
}
