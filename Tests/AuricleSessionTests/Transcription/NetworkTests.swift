import AuricleAudio
import AuricleRecognition
import AuricleTestKit
import Testing

@testable import AuricleSession

@Suite("A transcription and the network", .timeLimit(.minutes(5)))
struct NetworkTests {
  private static let threeSentences = SpokenWords(sentenceLengths: [3, 2, 4])

  private static func remote(_ turns: ScriptedTurns, _ vendor: String = "remote") -> ScriptedProvider {
    ScriptedProvider(hearing: turns, vendor: vendor, needsNetwork: true)
  }

  private static func wait(_ condition: () -> Bool) async throws {
    let limit = ContinuousClock.now + .seconds(240)
    while !condition(), ContinuousClock.now < limit { try await Task.sleep(for: .milliseconds(1)) }
    let holds = condition()
    #expect(holds)
  }

  @Test("§9: Started offline it waits, and hears everything when the network is there")
  func startedOffline() async throws {
    let turns = ScriptedTurns()
    let bench = TranscriberBench(Self.threeSentences, [Self.remote(turns)], isOnline: false)
    try bench.write(bench.words.chunks())
    let task = Task { await bench.run() }
    try await Self.wait { bench.transcriber.reason == .offline && bench.network.listenerCount == 1 }
    #expect(bench.transcriber.machineState == .waiting && turns.startCount == 0 && bench.transcriber.isHeldUp)
    #expect(bench.entries.withLock { $0 } == [.offline])
    bench.network.set(isOnline: true)
    try bench.close()
    #expect(await task.value == .complete)
    #expect(bench.faults == [] && !bench.isDisconnected && bench.kinds.first == .networkRestored)
  }

  @Test("§9: Started offline, not allowed: refused at once. One that needs no network starts")
  func refused() throws {
    let bench = TranscriberBench(Self.threeSentences, [Self.remote(ScriptedTurns())], isOnline: false)
    let error = #expect(throws: RecognitionError.self) { try bench.transcriber.choose(allowsOffline: false) }
    #expect(error?.kind == .offline)
    let local = TranscriberBench(Self.threeSentences, [ScriptedProvider(hearing: ScriptedTurns())], isOnline: false)
    try local.transcriber.choose(allowsOffline: false)
    #expect(local.transcriber.listener?.needsNetwork == false)
  }

  @Test("§9: Offline to the end: the text can be had later")
  func offlineToTheEnd() async throws {
    let bench = TranscriberBench(Self.threeSentences, [Self.remote(ScriptedTurns())], isOnline: false)
    let task = Task { try await bench.transcribeAll() }
    try await Self.wait { bench.transcriber.reason == .offline }
    task.cancel()
    #expect(try await task.value == .pending(nil))
  }

  @Test("§9: The network goes away in the middle: the rest is heard when it is back", arguments: 0..<50)
  func lost(seed: Int) async throws {
    var random = SeededRandom(seed: UInt64(seed))
    let words = SpokenWords.random(&random)
    let gate = ScriptGate()
    let frame = Int64.random(in: 0...words.frameCount, using: &random)
    let turns = ScriptedTurns([.waits(gate, after: frame)])
    let bench = TranscriberBench(words, [Self.remote(turns)])
    let task = Task { try await bench.transcribeAll() }
    await gate.waitForArrival()
    bench.network.set(isOnline: false)
    try await Self.wait { bench.transcriber.reason == .offline }
    bench.network.set(isOnline: true)
    #expect(try await task.value == .complete)
    #expect(bench.faults == [], "cut at \(frame) of \(words)")
    #expect(bench.isDisconnected && turns.startCount == 2)
    let kinds = bench.kinds.filter { $0 == .networkLost || $0 == .networkRestored || $0 == .aiServiceDisconnected }
    #expect(kinds == [.networkLost, .aiServiceDisconnected, .networkRestored])
  }

  @Test("§9: A network that goes away does not disturb a provider that needs none")
  func local() async throws {
    let gate = ScriptGate()
    let turns = ScriptedTurns([.waits(gate, after: 60_000)])
    let bench = TranscriberBench(Self.threeSentences, [ScriptedProvider(hearing: turns)])
    let task = Task { try await bench.transcribeAll() }
    await gate.waitForArrival()
    bench.network.set(isOnline: false)
    try await Self.wait { bench.kinds.contains(.networkLost) }
    gate.open()
    #expect(try await task.value == .complete)
    #expect(bench.faults == [] && turns.startCount == 1 && !bench.kinds.contains(.aiServiceDisconnected))
  }

  @Test("§9: When the network is back, nobody waits for the end of a backoff")
  func backFromBackoff() async throws {
    let turns = ScriptedTurns([.failsToStart(.network)])
    let bench = TranscriberBench(Self.threeSentences, [Self.remote(turns)]) { _ in
      await ScriptGate().pass()
      throw CancellationError()
    }
    let task = Task { try await bench.transcribeAll() }
    try await Self.wait { bench.transcriber.machineState == .backingOff && bench.network.listenerCount == 1 }
    bench.network.set(isOnline: false)
    try await Self.wait { bench.transcriber.reason == .offline }
    bench.network.set(isOnline: true)
    #expect(try await task.value == .complete)
    #expect(bench.faults == [])
  }

  @Test("§9: Without a network the place can be given to a provider that needs none")
  func switchedOffline() async throws {
    let bench = TranscriberBench(
      Self.threeSentences,
      [Self.remote(ScriptedTurns()), ScriptedProvider(hearing: ScriptedTurns(), vendor: "local")], isOnline: false)
    let task = Task { try await bench.transcribeAll() }
    try await Self.wait { bench.transcriber.reason == .offline }
    try bench.transcriber.select("local")
    #expect(try await task.value == .complete)
    #expect(bench.faults == [])
  }

  @Test("§9: A switch to a provider that needs the network waits for it")
  func switchedToRemote() async throws {
    let gate = ScriptGate()
    let remote = ScriptedTurns()
    let bench = TranscriberBench(
      Self.threeSentences,
      [ScriptedProvider(hearing: ScriptedTurns([.waits(gate, after: 70_000)])), Self.remote(remote)], isOnline: false)
    let task = Task { try await bench.transcribeAll() }
    await gate.waitForArrival()
    try bench.transcriber.select("remote")
    try await Self.wait { bench.transcriber.reason == .offline }
    #expect(remote.startCount == 0)
    bench.network.set(isOnline: true)
    #expect(try await task.value == .complete)
    #expect(bench.faults == [] && remote.startCount == 1)
  }
}
