import AuricleAudio
import AuricleRecognition
import AuricleTestKit
import Testing

@testable import AuricleSession

@Suite("A provider that fails in the middle", .timeLimit(.minutes(5)))
struct LossTests {
  private static let threeSentences = SpokenWords(sentenceLengths: [3, 2, 4])
  private static let passing: [RecognitionError.Kind] = [
    .connectionLost, .pingTimeout, .network, .timedOut, .busy, .failed, .invalidResponse, .deviceLost,
  ]

  /// A failure at a frame by chance, sometimes at the very beginning, end, or end of a sentence.
  private static func turn(_ words: SpokenWords, _ random: inout SeededRandom) -> ScriptedTurn {
    let frame: Int64
    switch Int.random(in: 0..<8, using: &random) {
    case 0: frame = 0
    case 1: frame = words.frameCount
    case 2: frame = Int64(words.sentenceLengths[0]) * 16_000
    default: frame = Int64.random(in: 0...words.frameCount, using: &random)
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .ends(after: frame)
    case 1: return .talksNonsense(after: frame)
    case 2: return .refuses(passing.randomElement(using: &random) ?? .failed, after: frame)
    case 3: return .failsToStart(passing.randomElement(using: &random) ?? .failed)
    default: return .dies(passing.randomElement(using: &random) ?? .failed, after: frame)
    }
  }

  @Test("§9: However it is cut, the transcript is the uncut one word for word", arguments: 0..<200)
  func cuts(seed: Int) async throws {
    var random = SeededRandom(seed: UInt64(seed))
    let words = SpokenWords.random(&random)
    let turns = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.turn(words, &random) }
    let bench = TranscriberBench(words, [ScriptedProvider(hearing: ScriptedTurns(turns))])
    #expect(try await bench.transcribeAll() == .complete, "\(turns)")
    #expect(bench.faults == [], "\(turns)")
    #expect(bench.shown.withLock { $0 } == [])
  }

  @Test("§9: The audio that it missed is sent first: the next session hears from the end of the last final sentence on")
  func anchor() async throws {
    let turns = ScriptedTurns([.dies(.connectionLost, after: 100_000)])
    let bench = TranscriberBench(Self.threeSentences, [ScriptedProvider(hearing: turns)])
    #expect(try await bench.transcribeAll() == .complete)
    let starts = bench.events.filter { $0.kind == .aiServiceStartRecording }.map { $0.details["from"] }
    #expect(starts == ["0.0", "5.0"])
    // The first sentence of the new session has the number of the one that it replaces.
    let indices = bench.transcripts.map(\.sentenceIndex)
    #expect(indices == indices.sorted() && Set(indices) == [0, 1, 2])
    let sequences = bench.transcripts.map(\.sequence)
    #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("§9: Nothing that a later session has to read is given up, and no more than a second before it is kept")
  func kept() async throws {
    let bench = TranscriberBench(Self.threeSentences, [ScriptedProvider(hearing: ScriptedTurns())])
    #expect(try await bench.transcribeAll() == .complete)
    #expect(bench.kept.withLock { $0 } == [2, 4, 8].map { $0 * 16_000 })
  }

  @Test("§9: It comes back after waits that grow, with chance in them, and begins anew after a success")
  func waits() async throws {
    let fails = ScriptedTurn.failsToStart(.network)
    let turns = ScriptedTurns([fails, fails, fails, .dies(.connectionLost, after: 60_000), fails])
    let backoff = Backoff(first: .seconds(1), longest: .seconds(3))
    let bench = TranscriberBench(Self.threeSentences, [ScriptedProvider(hearing: turns)], backoff: backoff)
    #expect(try await bench.transcribeAll() == .complete)
    #expect(bench.waits.withLock { $0 } == [1, 2, 3, 1, 2].map { .seconds($0) })
    #expect(bench.faults == [])
  }

  @Test("§5: Each loss is told by the kind of its error, with the error as evidence, and so is who comes back")
  func events() async throws {
    let turns = ScriptedTurns([
      .failsToStart(.pingTimeout), .dies(.connectionLost, after: 0), .refuses(.busy, after: 1), .ends(after: 2),
    ])
    let bench = TranscriberBench(Self.threeSentences, [ScriptedProvider(hearing: turns)])
    #expect(try await bench.transcribeAll() == .complete)
    let listens: [SessionEvent.Kind] = [.aiServiceConnected, .aiServiceStartRecording]
    #expect(
      bench.kinds == [.aiServiceNetworkError] + listens + [.aiServiceNetworkError, .aiServiceDisconnected] + listens
        + [.aiServiceRecordingError, .aiServiceDisconnected] + listens
        + [.aiServiceResponseError, .aiServiceDisconnected] + listens + [.aiServiceEndRecording])
    #expect(
      bench.events.compactMap(\.error?.code) == [
        "pingTimeout", "connectionLost", "connectionLost", "busy", "busy", "failed", "failed",
      ])
    #expect(bench.events.filter { $0.error != nil }.allSatisfy { $0.evidence == $0.error?.message })
    #expect(bench.events[1].details == ["vendor": "scripted", "model": "words"])
  }

  @Test(
    "§6: What only a person can mend is told at once and not tried again",
    arguments: [
      (.authenticationFailed, .aiServiceUnauthorized), (.notAuthenticated, .aiServiceUnauthorized),
      (.quotaExceeded, .aiServiceUnauthorized), (.languageUnsupported, .aiServiceResponseError),
      (.contentRejected, .aiServiceResponseError), (.microphoneDenied, .aiServiceRecordingError),
    ] as [(RecognitionError.Kind, SessionEvent.Kind)])
  func fatal(kind: RecognitionError.Kind, event: SessionEvent.Kind) async throws {
    let turns = ScriptedTurns([.failsToStart(kind)])
    let bench = TranscriberBench(Self.threeSentences, [ScriptedProvider(hearing: turns)])
    let error = RecognitionError(kind, "the script says so")
    let isPassing = kind == .authenticationFailed || kind == .notAuthenticated
    #expect(try await bench.transcribeAll() == (isPassing ? .pending(error) : .failed(error)))
    #expect(turns.startCount == 1 && bench.kinds == [event] && !bench.isDisconnected)
    #expect(bench.shown.withLock { $0 } == [SessionFailure(error)])
  }

  @Test("§6: Every kind of error has an event, and is tried again exactly when that can help")
  func kinds() {
    let events: Set<SessionEvent.Kind> = [
      .aiServiceUnauthorized, .aiServiceNetworkError, .aiServiceRecordingError, .aiServiceResponseError,
    ]
    for kind in RecognitionError.Kind.all {
      for stage in Setback.Stage.allCases {
        let setback = Setback(error: RecognitionError(kind, "it failed"), stage: stage)
        #expect(events.contains(setback.event))
        #expect(kind.mayPass == (kind.advice == .retry || kind.advice == .rebuild))
        #expect((setback.reason == .fatal) == (!kind.mayPass && setback.reason != .authorizationPending))
      }
    }
  }

  @Test("§6: A provider that fails again and again for reasons of its own is given up, and the text stays to be had")
  func wornOut() async throws {
    let turns = ScriptedTurns(Array(repeating: .dies(.failed, after: 20_000), count: 9))
    let bench = TranscriberBench(Self.threeSentences, [ScriptedProvider(hearing: turns)])
    let outcome = try await bench.transcribeAll()
    #expect(outcome == .pending(RecognitionError(.failed, "the script says so")))
    #expect(turns.startCount == TranscriptionLoop.rebuildLimit && bench.transcriber.machineState == .closed)
    #expect(bench.shown.withLock { $0.count } == 1)
  }

  @Test("§9: hadNetworkDisconnection is for the network, not for a provider that fails otherwise")
  func disconnection() async throws {
    for (kind, expected) in [(.connectionLost, true), (.busy, false)] as [(RecognitionError.Kind, Bool)] {
      let provider = ScriptedProvider(hearing: ScriptedTurns([.dies(kind, after: 9)]))
      let bench = TranscriberBench(Self.threeSentences, [provider])
      #expect(try await bench.transcribeAll() == .complete)
      #expect(bench.isDisconnected == expected)
    }
  }

  @Test("§9: A provider that hangs is left when the wait is over, and says how it stood")
  func hangs() async throws {
    for turn in [ScriptedTurn.hangsAtStart, .waits(ScriptGate(), after: 60_000)] {
      let bench = TranscriberBench(Self.threeSentences, [ScriptedProvider(hearing: ScriptedTurns([turn]))])
      let task = Task { try await bench.transcribeAll() }
      try await Task.sleep(for: .milliseconds(20))
      task.cancel()
      #expect(try await task.value == .cut)
    }
  }

  @Test("A provider that does not come back from its start holds nobody up")
  func stuckStart() async throws {
    let gate = ScriptGate()
    let turns = ScriptedTurns([.startsBehind(gate)])
    let bench = TranscriberBench(Self.threeSentences, [ScriptedProvider(hearing: turns)])
    let task = Task { try await bench.transcribeAll() }
    await gate.waitForArrival()
    task.cancel()
    #expect(try await task.value == .cut)
    gate.open()
    try await Task.sleep(for: .milliseconds(20))
    #expect(bench.transcripts.isEmpty)
  }

  @Test("A slow provider loses nothing")
  func slow() async throws {
    let turn = ScriptedTurn.isSlow { await Task.yield() }
    let bench = TranscriberBench(Self.threeSentences, [ScriptedProvider(hearing: ScriptedTurns([turn]))])
    #expect(try await bench.transcribeAll() == .complete)
    #expect(bench.faults == [])
  }
}
