import AuricleAudio
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

@Suite("Who reads a session", .timeLimit(.minutes(5)))
struct SessionReaderTests {
  private struct Thrown: Error {}

  private func finals(_ deliveries: [SessionDelivery]) -> [String] {
    deliveries.compactMap { delivery in
      if case .transcript(let transcript) = delivery.result, transcript.isSentenceFinal { transcript.text } else { nil }
    }
  }

  @Test("§4: A slow reader holds up nobody, and gets everything in order but what was merged")
  func slow() async throws {
    var bench = try SessionBench()
    let count = 300
    bench.script = (0..<count).flatMap { index in
      ScriptStep.sentence(index, "This is number \(index).", frames: Int64(index) * 160..<Int64(index) * 160 + 150)
    }
    let session = bench.session()
    let gate = ScriptGate()
    let reader = Task { await session.seen { _ in await gate.pass() } }
    bench.source.speak(seconds: 3)
    try await session.start()
    session.stop()
    #expect(await eventually { session.report != nil && bench.journal.isRemoved })
    #expect(bench.writer.frameCount == 48_000)
    gate.open()
    let seen = await reader.value
    #expect(seen.finals == (0..<count).map { "This is number \($0)." } && seen.isFinishLast && seen.finishCount == 1)
    #expect(seen.events == seen.report.sessionEvents.map(\.event) && seen.emitted == seen.emitted.sorted())
    #expect(seen.kinds.count { $0 == "recording" } <= 2)
  }

  @Test("§4: A reader that throws ends nothing, and another one goes on where it was")
  func throwing() async throws {
    let bench = try SessionBench()
    let session = bench.session()
    bench.source.speak(seconds: 3)
    try await session.start()
    let first = Guarded<[SessionDelivery]>([])
    await #expect(throws: Thrown.self) {
      _ = try await session.all { delivery in
        first.withLock { $0.append(delivery) }
        if case .transcript(let transcript) = delivery.result, transcript.isSentenceFinal { throw Thrown() }
      }
    }
    session.stop()
    let seen = await session.seen()
    #expect(finals(first.withLock { $0 } + seen.deliveries) == ["Ask not what.", "Ask what you."])
    #expect(seen.isFinishLast && session.report?.transcripts.count == 2)
  }

  @Test("§4: A reader may call everything from within its loop")
  func reentrant() async throws {
    let bench = try SessionBench()
    let session = bench.session()
    bench.source.speak(seconds: 3)
    try await session.start()
    let seen = await session.seen { delivery in
      session.pause()
      session.resume()
      _ = (session.state, session.report, session.opened)
      if case .transcript(let transcript) = delivery.result, transcript.isSentenceFinal {
        session.stop()
        session.end(.deviceError)
        _ = await session.audioEnd()
        #expect(await failure(of: session)?.code == "busy")
      }
    }
    #expect(seen.report.stopReason == .userInitiated && seen.isFinishLast && seen.finishCount == 1)
  }

  @Test("§4: A reader that is cancelled ends nothing; what comes after it waits for another one")
  func cancelled() async throws {
    let bench = try SessionBench()
    let session = bench.session()
    try await session.start()
    let reader = Task { await session.all() }
    #expect(await eventually { session.core.results.hasReader })
    reader.cancel()
    let before = await reader.value
    bench.source.speak(seconds: 3)
    session.stop()
    let seen = await session.seen()
    #expect(before.count + seen.deliveries.count >= 6 && seen.finals.count == 2 && seen.isFinishLast)
    let late = Task { await session.all() }
    late.cancel()
    #expect(await late.value.isEmpty)
  }

  @Test("§4: A second reader takes the place of the first, and nothing comes twice")
  func second() async throws {
    let bench = try SessionBench()
    let session = bench.session()
    try await session.start()
    let first = Task { await session.all() }
    #expect(await eventually { session.core.results.hasReader })
    let second = Task { await session.all() }
    let before = await first.value
    bench.source.speak(seconds: 3)
    session.stop()
    let after = await second.value
    let events = (before + after).compactMap { delivery in
      if case .event(let event) = delivery.result { event.kind.name } else { nil }
    }
    #expect(events == session.report?.sessionEvents.map(\.event) && finals(after).count == 2)
  }

  @Test("§4: A session that nobody reads ends, writes its report, and goes away with everything of it")
  func unread() async throws {
    let bench = try SessionBench()
    let watched = try await watch(bench) { session in
      bench.source.speak(seconds: 3)
      try await session.start()
      session.stop()
      _ = await session.audioEnd()
    }
    #expect(await eventually { bench.journal.isRemoved && watched.isGone })
    let text = try String(contentsOfFile: "\(bench.path)/transcript.txt", encoding: .utf8)
    #expect(text == "Ask not what.\nAsk what you.\n")
  }

  @Test("§4: A recording that nobody holds any more ends as interrupted, with its report")
  func letGo() async throws {
    let bench = try SessionBench()
    let watched = try await watch(bench) { session in
      bench.source.speak(seconds: 3)
      try await session.start()
    }
    #expect(await eventually { bench.journal.isRemoved && watched.isGone } && bench.source.isOver)
    let report = try String(contentsOfFile: "\(bench.path)/report.json", encoding: .utf8)
    #expect(report.contains(#""stopReason" : "interrupted""#) && report.contains("nobody holds the session"))
  }

  /// Two readers of a recording that nobody else holds.
  private func readers(of bench: SessionBench) async throws -> (Task<SessionDelivery?, Never>, Task<Int, Never>) {
    let session = bench.session()
    try await session.start()
    let (results, audio) = (session.results, session.audio())
    let reader = Task {
      var last: SessionDelivery?
      for await delivery in results { last = delivery }
      return last
    }
    return (reader, Task { await audio.reduce(0) { $0 + $1.count } })
  }

  @Test("§4: Who reads holds the recording, also when nobody else does")
  func held() async throws {
    let bench = try SessionBench()
    let (reader, audio) = try await readers(of: bench)
    bench.source.speak(seconds: 3)
    #expect(await eventually { bench.writer.frameCount == 48_000 })
    bench.source.end()
    #expect(await audio.value == 96_000)
    guard case .finish(let report) = await reader.value?.result else { return #expect(Bool(false), "no finish") }
    #expect(report.stopReason == .userInitiated)
  }

  @Test("§4: Whatever a reader did, nothing of a session is left", arguments: 0..<6)
  func leaks(way: Int) async throws {
    var bench = try SessionBench()
    if way == 5 { bench.whileOpening = { throw AudioError(.notFound, "none") } }
    let watched = try await watch(bench) { [bench] session in
      bench.source.speak(seconds: 3)
      if await failure(of: session) != nil { return }
      switch way {
      case 0: _ = try? await session.all { _ in throw Thrown() }
      case 1:
        let task = Task { await session.all() }
        task.cancel()
        _ = await task.value
      case 2: for await _ in session.audio() { break }
      case 3: session.cancel()
      default: session.stop()
      }
      session.stop()
      if way == 4 { _ = await session.all { _ in session.stop() } }
    }
    #expect(await eventually { watched.isGone })
  }

  /// Lets a session be used, and keeps nothing of it.
  private func watch(
    _ bench: SessionBench, _ use: @Sendable (RecordingSession) async throws -> Void
  ) async throws -> Watched {
    let session = bench.session()
    let watched = Watched(session)
    try await use(session)
    return watched
  }

  /// What must go away.
  private final class Watched: @unchecked Sendable {
    // The rule that makes it safe: weak references are set once, before anybody else sees them.
    private weak var session: RecordingSession?
    private weak var core: SessionCore?
    private weak var results: ResultsQueue?

    init(_ session: RecordingSession) {
      self.session = session
      core = session.core
      results = session.core.results
    }

    var isGone: Bool { session == nil && core == nil && results == nil }
  }
}

@Suite("The queue of a session's results")
struct ResultsQueueTests {
  private func delivery(_ number: Int, _ result: SessionResult) -> SessionDelivery {
    SessionDelivery(emitted: Double(number), result: result)
  }

  @Test("§4: Partials and statuses are merged, and nothing else; the order is that of the newest", arguments: 0..<50)
  func random(seed: Int) async {
    var random = SeededRandom(seed: UInt64(seed))
    let queue = ResultsQueue()
    var kept: [Double] = []
    var seen: [SessionDelivery] = []
    var sentence = 0
    let status = RecordingStatus(phase: .recording, seconds: 0, level: .silence, byteCount: 0, freeByteCount: nil)
    for number in 0..<400 {
      let result: SessionResult
      switch random.next() % 5 {
      case 0: result = .recording(status)
      case 1: result = .event(SessionEvent(.paused, time: 0))
      case 2:
        result = .transcript(Samples.final(sentence, "One.", 0, 1))
        sentence += 1
      default: result = .transcript(Samples.partial(sentence, "On", stable: "", 0, 1))
      }
      queue.put(delivery(number, result))
      switch result {
      case .event: kept.append(Double(number))
      case .transcript(let transcript) where transcript.isSentenceFinal: kept.append(Double(number))
      default: break
      }
      if random.next() % 8 == 0, let next = await queue.next() { seen.append(next) }
    }
    queue.finish()
    queue.put(delivery(1_000, .event(SessionEvent(.paused, time: 0))))
    while let next = await queue.next() { seen.append(next) }
    let numbers = seen.map(\.emitted)
    #expect(numbers == numbers.sorted() && Set(numbers).isSuperset(of: kept) && !numbers.contains(1_000))
    var finals: Set<Int> = []
    for case .transcript(let transcript) in seen.map(\.result) {
      #expect(!finals.contains(transcript.sentenceIndex))
      if transcript.isSentenceFinal { finals.insert(transcript.sentenceIndex) }
    }
  }
}
