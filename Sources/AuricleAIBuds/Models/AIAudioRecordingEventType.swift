import AuricleRecognition

/// What happened in a session beside the words. The raw values 0 to 15 are AIBuds'; ours are above 100.
public enum AIAudioRecordingEventType: Int, Sendable, CaseIterable {
  /// Something that a provider of somebody else tells, and this layer does not know.
  case unknown = -1

  /// Somebody wants to record.
  case userInitiatedToStart = 0
  /// The session runs.
  case sessionStarted = 1
  /// The session did not come to run.
  case sessionStartFailed = 2
  /// A provider listens.
  case aiServiceConnected = 3
  /// The session ends without anybody having asked.
  case autoEndSessionTriggered = 4
  /// Somebody wants an end.
  case userInitiatedToEndSession = 5
  /// The session is over; the report follows.
  case sessionEnded = 6
  /// The provider does not accept who asks.
  case aiServiceUnauthorized = 7
  /// The provider that listened is gone.
  case aiServiceDisconnected = 8
  /// The network between here and the provider failed.
  case aiServiceNetworkError = 9
  /// The provider is fed.
  case aiServiceStartRecording = 10
  /// The provider has heard everything.
  case aiServiceEndRecording = 11
  /// Audio could not be given to the provider.
  case aiServiceRecordingError = 12
  /// The provider answered with an error.
  case aiServiceResponseError = 13
  /// The link to the device broke.
  case bleDisconnected = 14
  /// The program is about to end.
  case appWillTerminate = 15

  // Ours.
  /// Somebody began to speak.
  case speechStarted = 101
  /// Nobody speaks any more.
  case speechEnded = 102
  /// Another one speaks.
  case speakerChanged = 103
  /// The network is gone.
  case networkLost = 104
  /// The network is back.
  case networkRestored = 105
  /// Nothing is taken until it is resumed.
  case paused = 106
  /// Audio is taken again.
  case resumed = 107
  /// Something else needs the microphone.
  case interruptionBegan = 108
  /// What interrupted is over.
  case interruptionEnded = 109
  /// Another device is heard.
  case inputRouteChanged = 110
  /// Nothing or only silence comes, as from a dead or muted microphone.
  case inputSilent = 111
  /// Audio is missing.
  case audioDropped = 112
  /// The disk is nearly full.
  case storageLow = 113
  /// Somebody took their consent back, and the recording ended.
  case consentWithdrawn = 114
  /// A word was said that somebody listens for.
  case keywordSpotted = 115
  /// The audio is damaged or odd, and went on.
  case audioNotice = 116
  /// Speech was heard in which the recogniser found no words.
  case speechWithoutText = 117
  /// The last decode of a sentence does not begin with the words that were promised; they were kept.
  case promiseContradicted = 118
  /// Much reached the end of the scale.
  case inputClipping = 119

  init(number: Int) { self = Self(rawValue: number) ?? .unknown }

  /// The stable name, as it stands in reports: `aiServiceConnected`.
  public var name: String { SessionEvent.Kind.all.first { $0.rawValue == rawValue }?.name ?? "unknown" }

  /// The stable identifier for logs and statistics, in small letters: `ai_service_connected`.
  public var eventId: String {
    name.reduce(into: "") { identifier, letter in
      let isNewWord = letter.isUppercase && !(identifier.last.map { $0 == "_" } ?? true)
      if isNewWord { identifier += "_" }
      identifier += letter.lowercased()
    }
  }

  /// The name with its number, for who looks with a debugger: `aiServiceConnected(3)`.
  public var debugName: String { "\(name)(\(rawValue))" }
}
