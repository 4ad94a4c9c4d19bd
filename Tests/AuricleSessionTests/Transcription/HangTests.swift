import AuricleRecognition
import AuricleTestKit
import Testing

@testable import AuricleSession

@Suite("A provider that does not come back", .timeLimit(.minutes(5)))
struct HangTests {
  private static let words = SpokenWords(sentenceLengths: [3, 2, 4])
  private static let short = Patience(
    start: .milliseconds(300), accept: .milliseconds(300), farewell: .milliseconds(100))

  private func bench(_ turns: [ScriptedTurn]) -> TranscriberBench {
    TranscriberBench(Self.words, [ScriptedProvider(hearing: ScriptedTurns(turns))], patience: Self.short)
  }

  @Test("§9: From taking audio: it is given up, and the next session misses no word", arguments: [0, 40_000, 48_000])
  func accept(_ frame: Int64) async throws {
    let gate = ScriptGate()
    defer { gate.open() }
    let bench = bench([.hangs(.accept(after: frame), gate)])
    #expect(try await bench.transcribeAll() == .complete)
    #expect(bench.faults == [] && !bench.isDisconnected)
    #expect(bench.kinds.contains(.aiServiceRecordingError) && bench.kinds.contains(.aiServiceDisconnected))
    let told = bench.events.first { $0.kind == .aiServiceRecordingError }?.evidence
    #expect(told?.contains("took no audio") == true)
  }

  @Test("§9: From starting, whatever is cancelled: the next one is asked, and the late session is given up")
  func start() async throws {
    let gate = ScriptGate()
    let bench = bench([.startsBehind(gate)])
    #expect(try await bench.transcribeAll() == .complete)
    gate.open()
    #expect(bench.faults == [])
    #expect(bench.kinds.count { $0 == .aiServiceConnected } == 1)
  }

  @Test("§9: Time and again: the text is left for later, and the transcription ends")
  func always() async throws {
    let gate = ScriptGate()
    defer { gate.open() }
    let bench = bench(Array(repeating: .hangs(.accept(after: 50_000), gate), count: 10))
    guard case .pending(let error) = try await bench.transcribeAll() else {
      Issue.record("nothing was left for later")
      return
    }
    #expect(error?.kind == .failed)
    #expect(bench.finals.map(\.text) == Array(Self.words.sentences.prefix(2)))
  }

  @Test(
    "§1: Given up in the middle of any call, the transcription ends",
    arguments: [.accept(after: 40_000), .finish, .cancel] as [ScriptedCall])
  func cancelled(_ call: ScriptedCall) async throws {
    let gate = ScriptGate()
    defer { gate.open() }
    var bench = bench([.hangs(call, gate)])
    let lastFinal = ScriptGate()
    bench.onResult = { result in
      if case .transcript(let transcript) = result, transcript.isSentenceFinal { lastFinal.open() }
    }
    try bench.write(Self.words.chunks())
    if call == .finish { try bench.close() }
    let task = Task { [bench] in await bench.run() }
    if call == .cancel { await lastFinal.pass() } else { await gate.waitForArrival() }
    task.cancel()
    #expect(await task.value == .cut)
  }
}
