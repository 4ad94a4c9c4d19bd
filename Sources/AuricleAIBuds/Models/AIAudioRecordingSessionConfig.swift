import AuricleConsent
import AuricleSession
import Foundation

/// What is to be recorded, and how.
public final class AIAudioRecordingSessionConfig: NSObject, Sendable {
  /// Where people speak.
  public let recordingScene: RecordingScene
  /// Whether it may start without a network on a provider that needs one, to be transcribed later.
  public let allowRecordingWhileOffline: Bool
  /// Whether speakers are to be told apart.
  public let enableSpeakerDiarization: Bool
  /// The language, BCP 47; `nil` for the program's own. `auto` is refused.
  public let languageForSpeechInput: String?

  /// Creates a configuration.
  public init(
    recordingScene: RecordingScene = .onSite, allowRecordingWhileOffline: Bool = false,
    enableSpeakerDiarization: Bool = false, languageForSpeechInput: String? = nil
  ) {
    self.recordingScene = recordingScene
    self.allowRecordingWhileOffline = allowRecordingWhileOffline
    self.enableSpeakerDiarization = enableSpeakerDiarization
    self.languageForSpeechInput = languageForSpeechInput
  }

  /// On site, not offline, speakers not told apart, in the program's own language.
  public static let `default` = AIAudioRecordingSessionConfig()

  /// The configuration of the core. What is wrong with its values, the core says.
  func configuration(_ consent: ConsentRecord) -> SessionConfiguration {
    SessionConfiguration(
      consent: consent, scene: recordingScene.scene, language: languageForSpeechInput,
      allowsRecordingWhileOffline: allowRecordingWhileOffline, wantsSpeakerDiarization: enableSpeakerDiarization)
  }
}
