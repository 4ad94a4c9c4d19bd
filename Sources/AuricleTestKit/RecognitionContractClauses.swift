import AuricleAudio
import AuricleRecognition

/// The clauses about the life of a session. Those about its texts are in `TranscriptRules`.
extension RecognitionContract {
  /// R9: without a wish for unfinished sentences only finals come, and the same ones.
  func checkPartials(_ provider: any RecognitionProvider, finals: [String]) async throws -> [Violation] {
    let results = try await transcribe(with: provider, partials: false)
    var found = TranscriptRules(end: .infinity, wantsPartials: false).violations(results)
    if Self.finalTexts(results) != finals {
      found.append(Violation(clause: "R9", message: "the finals differ when no partials are wanted"))
    }
    return found
  }

  /// R10: sessions at the same time do not mix.
  func checkIndependence(_ provider: any RecognitionProvider, finals: [String]) async throws -> [Violation] {
    async let first = transcribe(with: provider, partials: true)
    async let second = transcribe(with: provider, partials: true)
    let texts = try await [Self.finalTexts(first), Self.finalTexts(second)]
    return texts.allSatisfy { $0 == finals }
      ? [] : [Violation(clause: "R10", message: "two sessions at once give other finals than one alone")]
  }

  /// R11: a session without audio ends without words.
  func checkEmpty(_ provider: any RecognitionProvider) async throws -> [Violation] {
    let session = try await provider.startSession(RecognitionConfiguration())
    await session.finish()
    var found: [Violation] = []
    for await result in session.results {
      if case .transcript = result {
        found.append(Violation(clause: "R11", message: "words came without audio"))
      }
    }
    let iterator = session.results.makeAsyncIterator()
    if await iterator.next() != nil {
      found.append(Violation(clause: "R11", message: "a result came behind the end"))
    }
    return found
  }

  /// R12: cancelling ends the results promptly. R13: then audio is refused. R14: repeating it does no harm.
  func checkCancel(_ provider: any RecognitionProvider) async throws -> [Violation] {
    var found: [Violation] = []
    let session = try await provider.startSession(RecognitionConfiguration())
    for chunk in chunks.prefix(chunks.count / 2) { try await acceptReading(chunk, session) }
    let clock = ContinuousClock()
    let start = clock.now
    await session.cancel()
    for await _ in session.results {}
    let time = start.duration(to: clock.now)
    if time > cancelLimit {
      found.append(Violation(clause: "R12", message: "cancelling took \(time)"))
    }
    found += await checkRefusal(session)
    await session.cancel()
    await session.finish()
    for await _ in session.results {
      found.append(Violation(clause: "R14", message: "a result came after cancelling"))
    }
    return found
  }

  private func checkRefusal(_ session: any RecognitionSession) async -> [Violation] {
    do throws(RecognitionError) {
      try await session.accept(.gap(AudioGap(frames: 0..<1, sampleRate: 16_000, reason: .sourceLost)))
      return [Violation(clause: "R13", message: "audio was taken after cancelling")]
    } catch {
      return error.kind == .cancelled
        ? [] : [Violation(clause: "R13", message: "after cancelling, audio gave \(error.kind.name)")]
    }
  }

  /// Feeds a chunk while somebody reads, so that a full stream of results holds nobody up.
  private func acceptReading(_ chunk: AudioChunk, _ session: any RecognitionSession) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await session.accept(chunk)
        return true
      }
      group.addTask {
        for await _ in session.results {}
        return false
      }
      while let isFed = try await group.next(), !isFed {}
      group.cancelAll()
    }
  }

  /// R15: a language that the recogniser does not know is refused as such.
  func checkLanguage(_ provider: any RecognitionProvider) async -> [Violation] {
    guard !provider.capabilities.languages.isEmpty, let unknown = LanguageTag("tlh") else { return [] }
    do throws(RecognitionError) {
      let session = try await provider.startSession(RecognitionConfiguration(language: unknown))
      await session.cancel()
      return [Violation(clause: "R15", message: "a session in an unknown language was started")]
    } catch {
      guard error.kind == .languageUnsupported else {
        return [Violation(clause: "R15", message: "an unknown language gave \(error.kind.name)")]
      }
      return CapabilityRules(provider.capabilities).violations([.error(error)])
    }
  }
}
