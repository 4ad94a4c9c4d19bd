import Foundation

/// What is to be recorded with AI, and how. A start takes what stands in it at that moment.
public final class TSAIAudioRecordConfig: NSObject {
  /// Where the sound comes from; `nil` chooses by itself.
  public var audioRouteConfiguration: TSAIAudioRouteConfiguration?
  /// Where people speak.
  public var recordingScene = TSAIAudioRecordScene.onSite
  /// The language; unknown is the program's own, and auto is refused.
  public var language = TSAILanguage.unknown
  /// Whether it may start without a network on a provider that needs one, to be transcribed later.
  public var allowRecordingWhileOffline = false
  /// Whether speakers are to be told apart.
  public var enableSpeakerDiarization = false

  /// On site, not offline, speakers not told apart.
  public static func `default`() -> TSAIAudioRecordConfig { TSAIAudioRecordConfig() }
}
