import AuricleAudio
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSherpa

@Suite("Models run in the engine", .enabled(if: Places.hasPython), .timeLimit(.minutes(2)))
struct ToyModelTests {
  static let streaming = ["streaming-zipformer-ctc", "streaming-nemo-ctc", "streaming-transducer"]
  static let whole = ["zipformer-ctc", "nemo-ctc", "transducer"]

  /// Two sentences, with a pause that ends the first.
  private let speech = Toys.audio(
    .silence(0.5), .low(0.4), .silence(0.3), .high(0.4), .silence(1.5), .low(0.5), .silence(0.2), .high(0.3))

  private func provider(_ name: String) throws -> OnDeviceProvider {
    try OnDeviceProvider(folder: Toys.folder(name), workerCount: 2)
  }

  @Test("Their kinds are recognised", arguments: streaming + whole)
  func kinds(_ name: String) throws {
    #expect(try Toys.folder(name).inspect().layout.kind.rawValue == name)
  }

  @Test("A streaming model gives partials, ends sentences, and says where they are", arguments: streaming)
  func streams(_ name: String) async throws {
    let results = try await transcribe(Chunks.of(speech, size: 1_600), with: provider(name))
    let final = finals(results)
    #expect(final.map(\.text) == ["low high", "low high"])
    #expect(transcripts(results).contains { !$0.isSentenceFinal })
    let spans = final.map(\.span)
    try #require(spans.count == 2)
    #expect(abs(spans[0].start - 0.5) < 0.2)
    #expect(abs(spans[1].start - 3.1) < 0.2)
    #expect((1.3...2.2).contains(spans[0].end))
    #expect(spans[1].end <= Double(speech.count) / 16_000)
  }

  @Test("The finals are the same for any blocks", arguments: streaming)
  func blocks(_ name: String) async throws {
    let provider = try provider(name)
    let whole = finals(try await transcribe(Chunks.of(speech, size: speech.count), with: provider))
    for size in [160, 480, 4_096] {
      let split = finals(try await transcribe(Chunks.of(speech, size: size), with: provider))
      #expect(split.map(\.text) == whole.map(\.text))
      #expect(split.map(\.span) == whole.map(\.span))
    }
  }

  @Test("A gap ends what was said, and times behind it are right", arguments: streaming)
  func gap(_ name: String) async throws {
    let word = Toys.audio(.silence(0.3), .high(0.5))
    let resume: Int64 = 160_000
    let gap = AudioGap(frames: Int64(word.count)..<resume, sampleRate: 16_000, reason: .paused)
    let chunks = Chunks.of(word, size: 480) + [.gap(gap)] + Chunks.of(word, size: 480, from: resume)
    let final = finals(try await transcribe(chunks, with: provider(name)))
    #expect(final.map(\.text) == ["high", "high"])
    try #require(final.count == 2)
    #expect(final[0].span.end <= 0.8)
    #expect(abs(final[1].span.start - 10.3) < 0.2)
  }

  @Test("Silence says nothing, and a session without audio ends", arguments: streaming)
  func silence(_ name: String) async throws {
    let provider = try provider(name)
    let quiet = try await transcribe(Chunks.of(Toys.audio(.silence(6)), size: 1_600), with: provider)
    #expect(transcripts(quiet).isEmpty)
    #expect(try await transcribe([], with: provider).isEmpty)
  }

  @Test("The contract of recognisers holds", arguments: streaming)
  func contract(_ name: String) async throws {
    let contract = RecognitionContract(chunks: Chunks.of(speech, size: 1_600)) { try provider(name) }
    #expect(try await contract.violations() == [])
  }

  @Test("Many sessions share one streaming model", arguments: streaming)
  func sessions(_ name: String) async throws {
    let provider = try provider(name)
    let chunks = Chunks.of(speech, size: 480)
    let texts = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<6 { group.addTask { try await finals(transcribe(chunks, with: provider)).map(\.text) } }
      return try await group.reduce(into: [[String]]()) { $0.append($1) }
    }
    #expect(texts == Array(repeating: ["low high", "low high"], count: 6))
  }

  @Test("A feeder is held back while nobody reads, and cancelling frees it")
  func heldBack() async throws {
    let session = try await provider("streaming-transducer").startSession(RecognitionConfiguration())
    let word = Toys.audio(.high(0.3), .silence(1.2))
    let long = Chunks.of(Array(repeating: word, count: 100).flatMap { $0 }, size: 16_000)
    let feeder = Task { () -> RecognitionError? in
      do throws(RecognitionError) {
        for chunk in long { try await session.accept(chunk) }
        return nil
      } catch { return error }
    }
    // The first result shows that it runs; then nobody reads, and 150 s do not fit.
    _ = await session.results.makeAsyncIterator().next()
    await session.cancel()
    #expect(await feeder.value?.kind == .cancelled)
    for await _ in session.results { Issue.record("a result behind the end") }
  }

  @Test("A model for whole segments decodes", arguments: whole)
  func decodes(_ name: String) throws {
    let model = try OfflineModel(library: .shared(), model: Toys.folder(name).inspect(), language: nil)
    #expect(try model.decode(Toys.audio(.silence(0.2), .low(0.4), .silence(0.3), .high(0.4))) == "low high")
    #expect(try model.decode(Toys.audio(.silence(1))) == "")
  }

  @Test("Good models pass their probe", arguments: streaming + whole)
  func probe(_ name: String) async throws {
    try await OnDeviceProvider.probe(folder: Toys.folder(name))
  }
}
