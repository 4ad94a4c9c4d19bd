import AuricleAudio
import AuricleRecognition

/// A session of a provider, of whose calls none is waited for without a limit, and none longer than its caller lives.
struct PatientSession: RecognitionSession {
  private let session: any RecognitionSession
  private let patience: Patience

  /// Wraps a session.
  init(_ session: any RecognitionSession, _ patience: Patience) {
    self.session = session
    self.patience = patience
  }

  var results: ResultStream { session.results }

  func accept(_ chunk: AudioChunk) async throws(RecognitionError) {
    let session = session
    let answer = await Patience.wait(patience.accept, cancels: true) { () -> Result<Void, RecognitionError> in
      do throws(RecognitionError) {
        return .success(try await session.accept(chunk))
      } catch {
        return .failure(error)
      }
    }
    guard let answer else {
      if Task.isCancelled { throw RecognitionError(.cancelled, "nobody waits for it any more") }
      throw RecognitionError(.failed, "the provider took no audio for \(patience.accept); it is asked again")
    }
    try answer.get()
  }

  func finish() async {
    let session = session
    _ = await Patience.wait(patience.farewell, cancels: false) { await session.finish() }
  }

  /// Ends the results, whatever the provider does.
  func cancel() async {
    let session = session
    _ = await Patience.wait(patience.farewell, cancels: false) { await session.cancel() }
    results.cancel()
  }
}
