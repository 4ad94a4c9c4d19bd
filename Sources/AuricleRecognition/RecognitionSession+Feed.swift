import AuricleAudio

extension RecognitionSession {
  /// Feeds a source from its start to its end, then finishes.
  ///
  /// - Parameter source: 16,000 Hz mono, `AudioFormat.speech`.
  /// - Throws: What the source or the session throws. The session is finished then, too: what was heard is delivered.
  public func feed(_ source: any AudioSource) async throws {
    do {
      while let chunk = try await source.next(maxFrames: 1_600) { try await accept(chunk) }
      await finish()
    } catch {
      await finish()
      throw error
    }
  }
}
