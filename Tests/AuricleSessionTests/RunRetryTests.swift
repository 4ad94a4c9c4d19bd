import AuricleRecognition
import AuricleSession
import AuricleTestKit
import Testing

@Suite("A run whose recogniser is lost", .timeLimit(.minutes(5)))
struct RunRetryTests {
  private let words = SpokenWords(sentenceLengths: [3, 4, 2, 5])

  private func run(_ turns: [ScriptedTurn]) async throws -> Seen {
    var runner = Runner(provider: ScriptedProvider(hearing: ScriptedTurns(turns)), sleeps: .pass)
    runner.limits.afterEnd = nil
    return try await runner.run(ListSource(words.chunks()))
  }

  @Test("It is asked again, and no word is missing or doubled", arguments: [0, 1_600, 40_000, 47_999, 48_000, 150_000])
  func lost(_ frame: Int64) async throws {
    let seen = try await run([.dies(.connectionLost, after: frame), .failsToStart(.network), .ends(after: frame)])
    #expect(seen.finals == words.sentences)
    #expect(seen.report.transcripts.map(\.text) == words.sentences)
    #expect(!seen.report.isIncomplete && seen.report.hadNetworkDisconnection)
    #expect(seen.events.contains("aiServiceDisconnected") && seen.kinds.last == "finish" && seen.finishCount == 1)
  }

  @Test("It refuses the audio once", arguments: [1_600, 80_000])
  func refused(_ frame: Int64) async throws {
    let seen = try await run([.refuses(.connectionLost, after: frame)])
    #expect(seen.finals == words.sentences && !seen.report.isIncomplete)
  }

  @Test("Lost again and again it is given up, with what it understood before")
  func retriesEnd() async throws {
    let dead = Array(repeating: ScriptedTurn.failsToStart(.connectionLost), count: 20)
    let seen = try await run([.dies(.connectionLost, after: 80_000)] + dead)
    #expect(seen.finals == Array(words.sentences.prefix(1)))
    #expect(seen.report.incompleteReason == .recognitionFailed && seen.kinds.contains("error"))
    #expect(seen.kinds.last == "finish" && seen.finishCount == 1)
  }

  @Test("Stopped while it starts: nothing is waited for")
  func stoppedWhileStarting() async throws {
    let turns = ScriptedTurns([.hangsAtStart])
    let stop = StopSignal()
    let runner = Runner(provider: ScriptedProvider(hearing: turns), stop: stop)
    async let running = runner.run(ListSource(words.chunks()))
    await turns.waitForStart(1)
    stop.stop()
    let seen = try await running
    #expect(seen.report.incompleteReason == .interrupted && seen.finals.isEmpty && seen.finishCount == 1)
  }
}
