import AuricleAudio
import AuricleRecognition

/// What every recogniser promises, as a suite to run over any of them.
///
/// Each clause has an id; ``violations()`` names the clauses that do not hold and how. Run it in a test with a time limit:
/// a recogniser that hangs for good is not freed by it.
public struct RecognitionContract: Sendable {
  /// A broken promise.
  public struct Violation: Sendable, Equatable, CustomStringConvertible {
    /// The clause: `R1`, `R2` …
    public let clause: String
    /// What was seen instead.
    public let message: String
    /// The clause and what was seen.
    public var description: String { "\(clause): \(message)" }
  }

  let makeProvider: @Sendable () async throws -> any RecognitionProvider
  let chunks: [AudioChunk]
  let cancelLimit: Duration

  /// Prepares the suite.
  /// - Parameters:
  ///   - chunks: 16,000 Hz mono with some speech, in order and without a hole.
  ///   - cancelLimit: How long a cancelled session may take to end its results; take machines under load into account.
  ///   - makeProvider: Makes the recogniser; called once.
  public init(
    chunks: [AudioChunk], cancelLimit: Duration = .seconds(5),
    makeProvider: @escaping @Sendable () async throws -> any RecognitionProvider
  ) {
    self.chunks = chunks
    self.cancelLimit = cancelLimit
    self.makeProvider = makeProvider
  }

  /// Runs all clauses.
  /// - Returns: What does not hold; empty when all does.
  /// - Throws: What making the provider or starting a session throws.
  public func violations() async throws -> [Violation] {
    let provider = try await makeProvider()
    var found: [Violation] = []
    let results = try await transcribe(with: provider, partials: true)
    found += TranscriptRules(end: audioEnd, wantsPartials: true).violations(results)
    let finals = Self.finalTexts(results)
    found += try await checkPartials(provider, finals: finals)
    found += try await checkIndependence(provider, finals: finals)
    found += try await checkEmpty(provider)
    found += try await checkCancel(provider)
    found += await checkLanguage(provider)
    found += CapabilityRules(provider.capabilities).violations(results)
    found += await checkLanguages(provider)
    found += try await checkFinish(provider, finals: finals)
    found += try await checkWaitingReader(provider)
    return found
  }

  /// Where the audio ends, in seconds.
  private var audioEnd: Double {
    let ends = chunks.map { chunk -> Int64 in
      switch chunk {
      case .audio(let block): block.frames.upperBound
      case .gap(let gap): gap.frames.upperBound
      case .notice: 0
      }
    }
    return AudioFormat.speech.seconds(ends.max() ?? 0)
  }

  /// Feeds all and reads all, at the same time.
  func transcribe(with provider: any RecognitionProvider, partials: Bool) async throws -> [RecognitionResult] {
    let session = try await provider.startSession(RecognitionConfiguration(wantsPartialResults: partials))
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [chunks] in
        for chunk in chunks { try await session.accept(chunk) }
        await session.finish()
        await session.finish()
      }
      var results: [RecognitionResult] = []
      for await result in session.results { results.append(result) }
      try await group.waitForAll()
      return results
    }
  }

  static func finalTexts(_ results: [RecognitionResult]) -> [String] {
    results.compactMap { result in
      if case .transcript(let transcript) = result, transcript.isSentenceFinal { transcript.text } else { nil }
    }
  }
}
