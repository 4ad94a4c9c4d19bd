import AuricleRecognition

extension SessionEvent.Kind {
  /// What shows an event of this kind when whoever tells of it says no more; `nil` where that is not the same each time.
  var usualEvidence: String? {
    switch self {
    case .aiServiceConnected: "the provider opened a session"
    case .aiServiceStartRecording: "the provider is given what is recorded"
    case .aiServiceEndRecording: "the provider was given all that was recorded"
    case .aiServiceDisconnected: "the session with the provider was left"
    case .networkLost, .networkRestored: "the network's monitor said so"
    case .paused: "nothing passes the gate"
    case .resumed: "audio passes the gate again"
    case .audioDropped: "frames are missing in what the source gave"
    case .speechStarted, .speechEnded: "the recogniser hears where people speak"
    case .speakerChanged: "the provider tells speakers apart"
    case .speechWithoutText, .promiseContradicted: "the recogniser said so"
    default: nil
    }
  }
}
