import AuricleAudio
import AuricleRecognition

/// Feeds a session and reads all that it delivers.
func transcribe(
  _ chunks: [AudioChunk], with provider: some RecognitionProvider,
  _ configuration: RecognitionConfiguration = RecognitionConfiguration()
) async throws -> [RecognitionResult] {
  let session = try await provider.startSession(configuration)
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      for chunk in chunks { try await session.accept(chunk) }
      await session.finish()
    }
    var results: [RecognitionResult] = []
    for await result in session.results { results.append(result) }
    try await group.waitForAll()
    return results
  }
}

/// The transcripts among results.
func transcripts(_ results: [RecognitionResult]) -> [Transcript] {
  results.compactMap { if case .transcript(let transcript) = $0 { transcript } else { nil } }
}

/// The final transcripts among results.
func finals(_ results: [RecognitionResult]) -> [Transcript] { transcripts(results).filter(\.isSentenceFinal) }
