import AuricleAudio
import AuricleRecognition
import AuricleTestKit
import Testing

@testable import AuricleLive

@Suite("A live session", .timeLimit(.minutes(2)))
struct LiveSessionTests {
  private func makeSession(
    partials: Bool = true, decoder: any SpeechDecoder = LevelDecoder(), queue: DecodeQueue = DecodeQueue(workerCount: 2)
  ) throws -> LiveSession {
    try LiveSession(
      RecognitionConfiguration(wantsPartialResults: partials), language: "en", decoder: decoder, queue: queue
    ) { LoudnessDetector() }
  }

  private func chunks(_ samples: [Float], of size: Int) -> [AudioChunk] {
    stride(from: 0, to: samples.count, by: size).map { start in
      let block = Array(samples[start..<min(start + size, samples.count)])
      return .audio(PCMBlock(format: .speech, startFrame: Int64(start), samples: block))
    }
  }

  private func results(of chunks: [AudioChunk], in session: LiveSession) async throws -> [RecognitionResult] {
    async let fed: Void = {
      for chunk in chunks { try await session.accept(chunk) }
      await session.finish()
    }()
    var results: [RecognitionResult] = []
    for await result in session.results { results.append(result) }
    try await fed
    return results
  }

  @Test("It keeps the contract of recognisers", arguments: 1...3)
  func contract(seed: Int) async throws {
    let samples = randomAudio(seed: UInt64(seed), tenths: 300)
    struct Provider: RecognitionProvider {
      let vendor = "test"
      let model = "levels"
      let capabilities = ProviderCapabilities(
        partialResults: true, diarization: false, offline: true, languages: ["en"])
      let queue = DecodeQueue(workerCount: 2)
      func startSession(
        _ configuration: RecognitionConfiguration
      ) async throws(RecognitionError) -> any RecognitionSession {
        if let language = configuration.language, language.primary != "en" {
          throw RecognitionError(.languageUnsupported, "only English")
        }
        return try LiveSession(configuration, language: "en", decoder: LevelDecoder(), queue: queue) {
          LoudnessDetector()
        }
      }
    }
    let contract = RecognitionContract(chunks: chunks(samples, of: 1_600)) { Provider() }
    let violations = try await contract.violations().map(\.description)
    #expect(violations == [], "\(violations)")
  }

  @Test("The same audio in any blocks gives the same finals", arguments: [1, 7, 160, 480, 4_096, Int.max / 2])
  func blocks(size: Int) async throws {
    let samples = randomAudio(seed: 5, tenths: 120)
    let whole = try await results(of: chunks(samples, of: 1_600), in: makeSession()).compactMap(\.final)
    let pieces = try await results(of: chunks(samples, of: size), in: makeSession()).compactMap(\.final)
    #expect(!whole.isEmpty)
    #expect(pieces.map(\.text) == whole.map(\.text))
    #expect(pieces.map(\.span) == whole.map(\.span))
  }

  @Test("A gap ends what was open, and what follows keeps its frames")
  func gap() async throws {
    let speech = audio([0, 0, 0, 0, 0] + [Float](repeating: 0.5, count: 10))
    let resume = Int64(speech.count) + 160_000
    let missing = AudioGap(frames: Int64(speech.count)..<resume, sampleRate: 16_000, reason: .overrun)
    let after = PCMBlock(format: .speech, startFrame: resume, samples: speech)
    let finals = try await results(
      of: chunks(speech, of: 1_600) + [.gap(missing), .audio(after)], in: makeSession()
    ).compactMap(\.final)
    #expect(finals.count == 2)
    #expect(finals[0].span.frames.upperBound <= Int64(speech.count))
    #expect(finals[1].span.frames.lowerBound == resume + finals[0].span.frames.lowerBound)
    #expect(finals[0].text == finals[1].text)
  }

  @Test("Nothing at all is a session without results")
  func nothing() async throws {
    #expect(try await results(of: [], in: makeSession()).isEmpty)
  }

  @Test("Nobody reads: the feeder is held back, nothing piles up, and all arrives in the end")
  func stalledReader() async throws {
    let session = try makeSession()
    let sentence = audio([Float](repeating: 0.5, count: 8) + [Float](repeating: 0, count: 8))
    let samples = [[Float]](repeating: sentence, count: 120).flatMap { $0 }
    let fed = Counter()
    let feeder = Task {
      for chunk in chunks(samples, of: 1_600) {
        try await session.accept(chunk)
        fed.increment()
      }
      await session.finish()
    }
    await settle { fed.count }
    #expect(fed.count < 1_920)
    var finals = 0
    for await result in session.results where result.final != nil { finals += 1 }
    try await feeder.value
    #expect(finals == 120)
  }

  /// Waits until a number does not change any more while everything else had its turn.
  private func settle(_ number: () -> Int) async {
    var (last, turns) = (-1, 0)
    while turns < 20_000 {
      await Task.yield()
      turns = number() == last ? turns + 1 : 0
      last = number()
    }
  }

  @Test("Audio that does not follow on is refused: overlaps, other formats, gaps of another rate")
  func refused() async throws {
    let session = try makeSession()
    let block = PCMBlock(format: .speech, startFrame: 0, samples: [Float](repeating: 0, count: 1_600))
    try await session.accept(.audio(block))
    let stereo = PCMBlock(
      format: try AudioFormat(sampleRate: 16_000, channelCount: 2), startFrame: 1_600, samples: [0, 0])
    let gaps = [
      AudioGap(frames: 1_600..<9_600, sampleRate: 48_000, reason: .overrun),
      AudioGap(frames: 0..<800, sampleRate: 16_000, reason: .overrun),
    ]
    for chunk in [.audio(block), .audio(stereo)] + gaps.map(AudioChunk.gap) {
      let error = await #expect(throws: RecognitionError.self) { try await session.accept(chunk) }
      #expect(error?.kind == .invalidParameter)
    }
    await session.finish()
    for await _ in session.results {}
  }

  @Test("A session that is let go of ends its results")
  func released() async throws {
    var session: LiveSession? = try makeSession()
    let results = try #require(session?.results)
    session = nil
    for await _ in results {}
  }

  @Test("A cancelled session ends at once, also while its feeder waits for a hung recogniser")
  func cancel() async throws {
    let gate = DecoderGate()
    let session = try makeSession(decoder: gate, queue: DecodeQueue(workerCount: 1))
    let sentence = audio([Float](repeating: 0.5, count: 10) + [Float](repeating: 0, count: 10))
    let samples = [[Float]](repeating: sentence, count: 12).flatMap { $0 }
    let feeder = Task { for chunk in chunks(samples, of: 1_600) { try await session.accept(chunk) } }
    await gate.waitForDecode()
    await session.cancel()
    await session.cancel()
    for await _ in session.results {}
    _ = await feeder.result
    await #expect(throws: RecognitionError.self) { try await session.accept(chunks(samples, of: 1_600)[0]) }
    gate.open()
  }
}
