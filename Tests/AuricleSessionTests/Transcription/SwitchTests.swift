import AuricleAudio
import AuricleRecognition
import AuricleTestKit
import Testing

@testable import AuricleSession

@Suite("Another provider in the middle", .timeLimit(.minutes(5)))
struct SwitchTests {
  private static let threeSentences = SpokenWords(sentenceLengths: [3, 2, 4])

  @Test("§9: Switched at any frame, no word is lost or doubled", arguments: 0..<200)
  func anywhere(seed: Int) async throws {
    var random = SeededRandom(seed: UInt64(seed))
    let words = SpokenWords.random(&random)
    let gate = ScriptGate()
    let frame =
      seed % 10 == 0 ? 0 : seed % 10 == 1 ? words.frameCount : .random(in: 0...words.frameCount, using: &random)
    let (first, second) = (ScriptedTurns([.waits(gate, after: frame)]), ScriptedTurns())
    let bench = TranscriberBench(
      words, [ScriptedProvider(hearing: first, vendor: "a"), ScriptedProvider(hearing: second, vendor: "b")])
    let task = Task { try await bench.transcribeAll() }
    await gate.waitForArrival()
    try bench.transcriber.select("b")
    #expect(try await task.value == .complete)
    #expect(bench.faults == [], "at \(frame)")
    #expect(first.startCount == 1 && second.startCount == 1)
    let gone = try #require(bench.events.first { $0.kind == .aiServiceDisconnected })
    #expect(gone.error == nil)
  }

  @Test("§9: Switched to and fro while results come, no word is lost or doubled", arguments: 0..<50)
  func whileResultsCome(seed: Int) async throws {
    var random = SeededRandom(seed: UInt64(seed))
    let words = SpokenWords(sentenceLengths: (0..<12).map { _ in Int.random(in: 1...4, using: &random) })
    let places = Set((0..<6).map { _ in Int.random(in: 0..<words.count, using: &random) })
    let providers = ["a", "b"].map { ScriptedProvider(hearing: ScriptedTurns(), vendor: $0) }
    var bench = TranscriberBench(words, providers)
    let (count, transcriber) = (Guarded(0), bench.transcriber)
    bench.onResult = { result in
      guard case .transcript = result else { return }
      let place = count.withLock { count in
        count += 1
        return count
      }
      if places.contains(place) { try? transcriber.select(place % 2 == 0 ? "a" : "b") }
    }
    #expect(try await bench.transcribeAll() == .complete)
    #expect(bench.faults == [])
  }

  @Test("§6: A provider that nobody registered, or that cannot do it, is refused, and the one that listens goes on")
  func refused() async throws {
    let gate = ScriptGate()
    let bench = TranscriberBench(
      Self.threeSentences, [ScriptedProvider(hearing: ScriptedTurns([.waits(gate, after: 9)]))])
    bench.registry.register(
      ServiceProvider(
        vendor: "deaf", version: "1", capabilities: ScriptedProvider([]).capabilities, recognition: nil))
    let task = Task { try await bench.transcribeAll() }
    await gate.waitForArrival()
    for (vendor, kind) in [("nobody", .notConfigured), ("deaf", .serviceMissing)] as [(String, RecognitionError.Kind)] {
      let error = #expect(throws: RecognitionError.self) { try bench.transcriber.select(vendor) }
      #expect(error?.kind == kind)
    }
    gate.open()
    #expect(try await task.value == .complete)
    #expect(bench.faults == [])
  }

  @Test("§6: Selecting the one that listens changes nothing")
  func same() async throws {
    let gate = ScriptGate()
    let turns = ScriptedTurns([.waits(gate, after: 90_000)])
    let bench = TranscriberBench(Self.threeSentences, [ScriptedProvider(hearing: turns)])
    let task = Task { try await bench.transcribeAll() }
    await gate.waitForArrival()
    try bench.transcriber.select("scripted")
    gate.open()
    #expect(try await task.value == .complete)
    #expect(turns.startCount == 1 && bench.faults == [])
  }

  @Test("§6: A provider that gave up for good has its place taken by another one, and nothing is missing")
  func afterBlock() async throws {
    let providers = [
      ScriptedProvider(hearing: ScriptedTurns([.dies(.quotaExceeded, after: 60_000)]), vendor: "a"),
      ScriptedProvider(hearing: ScriptedTurns(), vendor: "b"),
    ]
    let bench = TranscriberBench(Self.threeSentences, providers)
    try bench.write(bench.words.chunks().prefix(60))
    let task = Task { await bench.run() }
    while bench.shown.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
    #expect(bench.transcriber.machineState == .blocked && bench.transcriber.reason == .fatal)
    try bench.transcriber.select("b")
    try bench.write(bench.words.chunks().dropFirst(60))
    try bench.close()
    #expect(await task.value == .complete)
    #expect(bench.faults == [])
  }

  @Test("§6: A start that hangs gives way to another provider")
  func hangingStart() async throws {
    let turns = ScriptedTurns([.hangsAtStart])
    let bench = TranscriberBench(
      Self.threeSentences,
      [ScriptedProvider(hearing: turns, vendor: "a"), ScriptedProvider(hearing: ScriptedTurns(), vendor: "b")])
    let task = Task { try await bench.transcribeAll() }
    await turns.waitForStart(1)
    try bench.transcriber.select("b")
    #expect(try await task.value == .complete)
    #expect(bench.faults == [] && !bench.kinds.contains(.aiServiceDisconnected))
  }

  @Test("§6: The asked one, else the selected one, else the first that can do it")
  func choice() throws {
    let providers = ["a", "b", "c"].map { ScriptedProvider(hearing: ScriptedTurns(), vendor: $0) }
    let asked = TranscriberBench(Self.threeSentences, providers, vendor: "c")
    try asked.registry.select("b")
    try asked.transcriber.choose()
    #expect(asked.transcriber.listener?.vendor == "c")
    let selected = TranscriberBench(Self.threeSentences, providers)
    try selected.registry.select("b")
    try selected.transcriber.choose()
    #expect(selected.transcriber.listener?.vendor == "b")
    let first = TranscriberBench(Self.threeSentences, providers)
    try first.transcriber.choose()
    #expect(first.transcriber.listener?.vendor == "a")
    let none = TranscriberBench(Self.threeSentences, [])
    let error = #expect(throws: RecognitionError.self) { try none.transcriber.choose() }
    #expect(error?.kind == .notConfigured)
  }
}
