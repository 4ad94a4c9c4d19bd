import AuricleRecognition

/// How a session's recording becomes text: the one place that knows what a run takes its text from.
struct SessionSpeech: Sendable {
  /// What the run gets.
  let transcriber: Transcriber

  /// Takes the provider of a plan; `nil` when no text is wanted.
  init?(_ plan: SessionPlan, _ configuration: SessionConfiguration, in environment: SessionEnvironment) {
    guard let provider = plan.provider else { return nil }
    let clock = environment.clock
    transcriber = Transcriber(
      Transcriber.Selection(
        registry: environment.registry, vendor: provider.vendor, features: configuration.scene.features),
      configuration: RecognitionConfiguration(
        language: plan.language, wantsPartialResults: configuration.wantsPartialResults,
        wantsSpeakerDiarization: configuration.wantsSpeakerDiarization),
      network: environment.network, speech: environment.speech, chance: environment.chance,
      sleep: { try await clock.sleep(for: $0) })
  }

  /// Goes on with another provider.
  func select(_ vendor: String) throws(SessionFailure) {
    do throws(RecognitionError) {
      try transcriber.select(vendor)
    } catch {
      throw SessionFailure(error)
    }
  }
}
