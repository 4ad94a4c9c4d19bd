import AuricleAudio
import AuricleRecognition

/// The clauses about what a provider says of itself, its errors and the ends of its sessions.
extension RecognitionContract {
  /// R17: each language that it names is well formed, and the first one is taken.
  func checkLanguages(_ provider: any RecognitionProvider) async -> [Violation] {
    let names = provider.capabilities.languages
    var found = names.filter { LanguageTag($0) == nil }.map {
      Violation(clause: "R17", message: "\($0) is no language tag")
    }
    guard let first = names.first.flatMap({ LanguageTag($0) }) else { return found }
    do throws(RecognitionError) {
      let session = try await provider.startSession(RecognitionConfiguration(language: first))
      await session.cancel()
    } catch {
      found.append(Violation(clause: "R17", message: "\(first) is named, and gave \(error.kind.name)"))
    }
    return found
  }

  /// R18: finishing is harmless from several tasks at once and again behind the end; nothing is lost or doubled by it.
  func checkFinish(_ provider: any RecognitionProvider, finals: [String]) async throws -> [Violation] {
    let session = try await provider.startSession(RecognitionConfiguration())
    let results = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [chunks] in
        for chunk in chunks { try await session.accept(chunk) }
        await withTaskGroup(of: Void.self) { finishes in
          for _ in 0..<4 { finishes.addTask { await session.finish() } }
        }
      }
      var results: [RecognitionResult] = []
      for await result in session.results { results.append(result) }
      try await group.waitForAll()
      return results
    }
    await session.finish()
    await session.cancel()
    guard Self.finalTexts(results) != finals else { return [] }
    return [Violation(clause: "R18", message: "finishing four times at once changed the finals")]
  }

  /// R19: cancelling frees a reader who waits, and a session that was given nothing.
  func checkWaitingReader(_ provider: any RecognitionProvider) async throws -> [Violation] {
    let session = try await provider.startSession(RecognitionConfiguration())
    return await withTaskGroup(of: [Violation].self) { group in
      group.addTask {
        var count = 0
        for await _ in session.results { count += 1 }
        return count == 0 ? [] : [Violation(clause: "R19", message: "a session that was given nothing said something")]
      }
      await session.cancel()
      return await group.reduce(into: []) { $0 += $1 }
    }
  }
}

/// R16: what a provider delivers is what it says that it can do; a value that looks at the results of one session.
///
/// Unfinished sentences that are offered need not come: of audio that is fed faster than real time, finals may come first.
struct CapabilityRules: Sendable {
  private let capabilities: ProviderCapabilities

  init(_ capabilities: ProviderCapabilities) { self.capabilities = capabilities }

  func violations(_ results: [RecognitionResult]) -> [RecognitionContract.Violation] {
    let transcripts = results.compactMap { result in
      if case .transcript(let transcript) = result { transcript } else { nil }
    }
    var messages: [String] = []
    let hasPartials = transcripts.contains { !$0.isSentenceFinal }
    if hasPartials, !capabilities.partialResults {
      messages.append("an unfinished sentence came, and none are offered")
    }
    if !capabilities.diarization, transcripts.contains(where: { !$0.speakerSegments.isEmpty }) {
      messages.append("speakers were told apart, and that is not offered")
    }
    if !capabilities.sampleRates.contains(AudioFormat.speech.sampleRate) {
      messages.append("16,000 Hz is taken, and not offered")
    }
    messages += strangeLanguages(transcripts)
    return messages.map { RecognitionContract.Violation(clause: "R16", message: $0) } + errorViolations(results)
  }

  private func strangeLanguages(_ transcripts: [Transcript]) -> [String] {
    let known = Set(capabilities.languages.compactMap { LanguageTag($0)?.primary })
    guard !known.isEmpty else { return [] }
    let codes = Set(transcripts.compactMap(\.languageCode))
    return codes.filter { !known.contains(LanguageTag($0)?.primary ?? "") }.map {
      "words came in \($0), which is not offered"
    }
  }

  /// R20: an error has a kind with a number and a name, and one line that says something.
  private func errorViolations(_ results: [RecognitionResult]) -> [RecognitionContract.Violation] {
    results.compactMap { result in
      guard case .error(let error) = result else { return nil }
      let isSaid = !error.message.isEmpty && !error.message.contains(where: \.isNewline)
      guard !isSaid || error.kind.name.isEmpty else { return nil }
      return RecognitionContract.Violation(clause: "R20", message: "an error of kind \(error.kind.name) says nothing")
    }
  }
}
