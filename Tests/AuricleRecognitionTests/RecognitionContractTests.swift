import AuricleAudio
import AuricleRecognition
import Testing

@testable import AuricleTestKit

@Suite("The contract of recognisers", .timeLimit(.minutes(5)))
struct RecognitionContractTests {
  private let chunks: [AudioChunk] = (0..<40).map { index in
    .audio(PCMBlock(format: .speech, startFrame: index * 1_600, samples: [Float](repeating: 0, count: 1_600)))
  }
  private let good =
    ScriptStep.sentence(0, "Ask not what your country can do.", frames: 1_600..<20_000)
    + ScriptStep.sentence(1, "Ask what you can do.", frames: 24_000..<60_000)

  private func violations(_ script: [ScriptStep]) async throws -> Set<String> {
    let contract = RecognitionContract(chunks: chunks) { ScriptedProvider(script) }
    return Set(try await contract.violations().map(\.clause))
  }

  private func transcript(
    _ index: Int, _ text: String, stable: String? = nil, isFinal: Bool = true, frames: Range<Int64> = 0..<1_600
  ) -> RecognitionResult {
    .transcript(
      Transcript(
        sentenceIndex: index, text: text, stablePrefix: stable ?? text, isSentenceFinal: isFinal,
        span: TimeSpan(frames: frames, sampleRate: 16_000), languageCode: nil, sequence: 0))
  }

  @Test("A recogniser that keeps it passes")
  func passes() async throws {
    let contract = RecognitionContract(chunks: chunks) { ScriptedProvider(good) }
    #expect(try await contract.violations() == [])
  }

  @Test("§6: One that hears what is said passes as well, also when it is slow")
  func hearing() async throws {
    let words = SpokenWords(sentenceLengths: [2, 1, 3])
    let slow = ScriptedTurn.isSlow { await Task.yield() }
    for turn in [ScriptedTurn.works, slow] {
      let turns = ScriptedTurns(Array(repeating: turn, count: 20))
      let contract = RecognitionContract(chunks: words.chunks()) { ScriptedProvider(hearing: turns) }
      #expect(try await contract.violations() == [])
    }
  }

  @Test("§6: Capabilities that are not true, and errors that say nothing, are found")
  func untrue() {
    func found(_ results: RecognitionResult..., partials: Bool = true, languages: [String] = []) -> [String] {
      let capabilities = ProviderCapabilities(
        partialResults: partials, diarization: false, offline: true, languages: languages, sampleRates: [16_000])
      return CapabilityRules(capabilities).violations(results).map(\.clause)
    }
    let (partial, final) = (transcript(0, "a", stable: "", isFinal: false), transcript(0, "a"))
    #expect(found(partial, final) == [] && found(final, partials: false) == [] && found() == [])
    #expect(found(partial, final, partials: false) == ["R16"])
    // Of audio that is fed fast, finals may come first.
    #expect(found(final) == [])
    let spoken = RecognitionResult.transcript(
      Transcript(
        sentenceIndex: 0, text: "a", stablePrefix: "a", isSentenceFinal: true,
        span: TimeSpan(frames: 0..<9, sampleRate: 16_000), languageCode: "en-GB",
        speakerSegments: [
          SpeakerSegment(
            speakerID: "s", span: TimeSpan(frames: 0..<9, sampleRate: 16_000), associatedTranscriptSequence: 0,
            text: "a")
        ], sequence: 0))
    #expect(found(partial, spoken, languages: ["de"]) == ["R16", "R16"])
    #expect(found(partial, spoken, languages: ["en"]) == ["R16"])
    #expect(found(.error(RecognitionError(.failed, ""))) == ["R20"])
    #expect(found(.error(RecognitionError(.failed, "It failed.\nOh."))) == ["R20"])
    #expect(found(.error(RecognitionError(.failed, "It failed."))) == [])
  }

  @Test("A held recogniser can still be cancelled")
  func heldPasses() async throws {
    let session = try await ScriptedProvider([ScriptStep(.frame(0), .hold(ScriptGate()))]).startSession(.init())
    let feeder = Task { try await session.accept(chunks[0]) }
    await session.cancel()
    await #expect(throws: RecognitionError.self) { try await feeder.value }
  }

  @Test("Broken promises are found")
  func broken() async throws {
    func of(_ results: RecognitionResult...) async throws -> Set<String> {
      try await violations(results.map { ScriptStep(.frame(3_200), .deliver($0)) })
    }
    #expect(try await of(transcript(0, "a", frames: 5..<5)).contains("R1"))
    #expect(try await of(transcript(0, "a", frames: 0..<9_999_999)).contains("R1"))
    #expect(try await of(transcript(0, "a"), transcript(0, "b", stable: "", isFinal: false)).contains("R2"))
    #expect(try await of(transcript(0, "a\nb")).contains("R4"))
    let promise = transcript(0, "a b c", stable: "a b", isFinal: false)
    // Straight to the rules: an unfinished text that nobody reads in time gives its place to the next one.
    func rules(_ results: RecognitionResult...) -> [String] {
      TranscriptRules(end: 9, wantsPartials: true).violations(results).map(\.clause)
    }
    #expect(rules(promise, transcript(0, "a b", stable: "a", isFinal: false)).contains("R5"))
    #expect(rules(promise, transcript(0, "a x c", stable: "a x c")).contains("R5"))
    #expect(try await of(promise, transcript(0, "A, b! d", stable: "A, b! d")).isEmpty)
    #expect(try await of(transcript(0, "a b", stable: "b", isFinal: false)).contains("R6"))
    #expect(try await of(transcript(0, "a b", stable: "a")).contains("R7"))
    #expect(try await of(transcript(0, "")).contains("R7"))
    let late = transcript(1, "b", frames: 800..<1_600)
    #expect(try await of(late, transcript(0, "a", frames: 0..<800)).contains("R8"))
  }

  @Test("Words without audio are found")
  func wordsFromNothing() async throws {
    #expect(try await violations([ScriptStep(.finish, .deliver(transcript(0, "a")))]).contains("R11"))
  }

  @Test("The rules see sequences and unwanted partials")
  func rules() {
    let same = [transcript(0, "a"), transcript(1, "b")]
    #expect(TranscriptRules(end: 9, wantsPartials: true).violations(same).map(\.clause) == ["R3"])
    let partial = [transcript(0, "a", isFinal: false)]
    #expect(TranscriptRules(end: 9, wantsPartials: false).violations(partial).map(\.clause) == ["R9"])
    #expect(TranscriptRules.words("Don't — STOP, it's 1.5!") == ["dont", "stop", "its", "15"])
  }

  @Test("An unknown language is refused; a region of a known one is not")
  func languages() async throws {
    let provider = ScriptedProvider([], languages: ["en"])
    await #expect(throws: RecognitionError.self) {
      try await provider.startSession(RecognitionConfiguration(language: LanguageTag("de")))
    }
    _ = try await provider.startSession(RecognitionConfiguration(language: LanguageTag("en-GB")))
  }
}
