import AuricleConsent
import AuricleRecognition

/// What somebody wants recorded, and how.
///
/// A value that anybody may make; whether it can be honoured shows when a session starts with it.
public struct SessionConfiguration: Sendable, Hashable {
  /// Where people speak.
  public enum Scene: String, Sendable, Hashable, Codable, CaseIterable {
    /// In a room.
    case onSite
    /// In a call.
    case call

    /// What a provider has to offer for it.
    public var features: ServiceFeatures {
      switch self {
      case .onSite: .aiAudioRecording
      case .call: .callAudioRecording
      }
    }
  }

  /// The minutes that a recording's greatest length may have.
  public static let maximumMinutes = 1...240

  /// Who agreed to be recorded.
  public var consent: ConsentRecord
  /// Where people speak.
  public var scene: Scene
  /// Whether it becomes text; without, it is a recording of audio alone, for which no provider is needed.
  public var wantsTranscript: Bool
  /// The language, BCP 47; `nil` for the program's or the recogniser's own. `auto` is refused.
  public var language: String?
  /// Whether it may start without a network on a provider that needs one: it is recorded here then, and transcribed when the
  /// network is back. Else it fails at once.
  public var allowsRecordingWhileOffline: Bool
  /// Whether speakers are to be told apart.
  public var wantsSpeakerDiarization: Bool
  /// Where the sound comes from; `nil` chooses by itself.
  public var route: AudioRoute?
  /// The provider's vendor; `nil` for the one that is selected, else the first that can do it.
  public var provider: String?
  /// After how many whole minutes the recording ends by itself, of ``maximumMinutes``; `nil` for no end.
  public var maximumMinutes: Int?
  /// After how many seconds the user wants it to end, above 0; `nil` for no such wish. Not a limit but a stop beforehand, so
  /// its reason is the user's.
  public var seconds: Double?
  /// How long nothing new may come after the audio has ended before the last results are waited for no more. While text comes
  /// it is waited for: a recogniser that is behind catches up. One that still loads has a minute.
  public var lastResults: Duration
  /// Whether texts of unfinished sentences are wanted.
  public var wantsPartialResults: Bool
  /// What happens to what was recorded when consent is withdrawn before the finish.
  public var onWithdrawal: WithdrawalPolicy

  /// Creates a configuration: on site, with text, not offline, speakers not told apart.
  public init(
    consent: ConsentRecord, scene: Scene = .onSite, wantsTranscript: Bool = true, language: String? = nil,
    allowsRecordingWhileOffline: Bool = false, wantsSpeakerDiarization: Bool = false, route: AudioRoute? = nil,
    provider: String? = nil, maximumMinutes: Int? = nil, seconds: Double? = nil, lastResults: Duration = .seconds(8),
    wantsPartialResults: Bool = true, onWithdrawal: WithdrawalPolicy = .keep
  ) {
    self.consent = consent
    self.scene = scene
    self.wantsTranscript = wantsTranscript
    self.language = language
    self.allowsRecordingWhileOffline = allowsRecordingWhileOffline
    self.wantsSpeakerDiarization = wantsSpeakerDiarization
    self.route = route
    self.provider = provider
    self.maximumMinutes = maximumMinutes
    self.seconds = seconds
    self.lastResults = lastResults
    self.wantsPartialResults = wantsPartialResults
    self.onWithdrawal = onWithdrawal
  }
}

/// Where the sound of a session comes from and goes to.
public struct AudioRoute: Sendable, Hashable {
  /// The input by its name; `nil` for the default one.
  public var input: String?
  /// The output by its name; a recording plays nothing, so it has to be `nil`.
  public var output: String?

  /// Names a route.
  public init(input: String? = nil, output: String? = nil) {
    self.input = input
    self.output = output
  }
}
