import AuricleConsent
import AuricleRecognition
import AuricleSession

/// What stands in a configuration at the moment of a start.
struct RecordConfigValues: Sendable, Hashable {
  var scene: TSAIAudioRecordScene
  var language: TSAILanguage
  var route: AudioRoute?
  var isOfflineAllowed: Bool
  var wantsDiarization: Bool

  init(_ config: TSAIAudioRecordConfig) {
    scene = config.recordingScene
    language = config.language
    route = config.audioRouteConfiguration?.route
    isOfflineAllowed = config.allowRecordingWhileOffline
    wantsDiarization = config.enableSpeakerDiarization
  }

  /// The configuration of the core. What is wrong with its values, the core says.
  func configuration(_ consent: ConsentRecord) throws(SessionFailure) -> SessionConfiguration {
    guard let scene = scene.scene else {
      let message = "the recording scene is unknown; say whether it is on site or a call"
      throw SessionFailure(RecognitionError(.invalidParameter, message))
    }
    return SessionConfiguration(
      consent: consent, scene: scene, language: language.languageCode, allowsRecordingWhileOffline: isOfflineAllowed,
      wantsSpeakerDiarization: wantsDiarization, route: route)
  }
}
