import AuricleRecognition

/// What becomes of a configuration that was looked at: what a session does, or why it cannot.
///
/// Decides and does nothing; all that the outside has to say is told to it.
struct SessionPlan: Sendable {
  /// Who recognises; `nil` for audio alone.
  let provider: ServiceProvider?
  /// The language to expect.
  let language: LanguageTag?
  /// Whether it begins without a network that the provider needs.
  let isOffline: Bool

  /// Looks at a configuration.
  /// - Throws: ``SessionFailure`` of the domain of recognisers, of kind `languageEmpty`, `languageUnsupported`,
  ///   `invalidParameter`, `offline`, or as `ProviderRegistry.provider(_:offering:)` throws it.
  init(_ configuration: SessionConfiguration, in environment: SessionEnvironment) throws(SessionFailure) {
    do throws(RecognitionError) {
      try Self.check(configuration)
      let asked = try configuration.language.map { language throws(RecognitionError) in try Self.tag(language) }
      language = asked ?? environment.language.flatMap { LanguageTag($0) }
      guard configuration.wantsTranscript else {
        (self.provider, self.isOffline) = (nil, false)
        return
      }
      let provider = try environment.registry.provider(
        configuration.provider, offering: configuration.scene.features)
      try Self.check(language, known: provider)
      self.provider = provider
      isOffline = !environment.network.isOnline && !provider.capabilities.offline
      if isOffline, !configuration.allowsRecordingWhileOffline {
        throw RecognitionError(
          .offline, "there is no network, and \(provider.vendor) needs one; connect, or allow recording while offline")
      }
    } catch {
      throw SessionFailure(error)
    }
  }

  private static func check(_ configuration: SessionConfiguration) throws(RecognitionError) {
    if configuration.route?.output != nil {
      throw RecognitionError(.invalidParameter, "a recording plays nothing; leave the output of its route out")
    }
    if let minutes = configuration.maximumMinutes, !SessionConfiguration.maximumMinutes.contains(minutes) {
      throw RecognitionError(.invalidParameter, "the greatest length is 1 to 240 whole minutes, not \(minutes)")
    }
    if let seconds = configuration.seconds, !(seconds > 0 && seconds.isFinite) {
      throw RecognitionError(.invalidParameter, "a recording ends after more than 0 seconds")
    }
    if configuration.lastResults < .zero {
      throw RecognitionError(.invalidParameter, "the last results are waited for 0 seconds or more")
    }
  }

  private static func tag(_ text: String) throws(RecognitionError) -> LanguageTag {
    if text.isEmpty { throw RecognitionError(.languageEmpty, "the language is empty; name one, or leave it out") }
    if text.lowercased() == "auto" {
      throw RecognitionError(.languageUnsupported, "a recording has one language; name it instead of auto")
    }
    guard let tag = LanguageTag(text) else {
      throw RecognitionError(.invalidParameter, "\(PlainText.line(text)) is no language; name one like en or pt-BR")
    }
    return tag
  }

  /// A provider that cannot say which languages it knows is asked when it listens.
  private static func check(_ language: LanguageTag?, known provider: ServiceProvider) throws(RecognitionError) {
    let known = provider.capabilities.languages
    guard let language, !known.isEmpty else { return }
    guard known.contains(where: { LanguageTag($0)?.primary == language.primary }) else {
      throw RecognitionError(
        .languageUnsupported, "\(provider.vendor) does not know \(language); select another language or provider")
    }
  }
}
