import AuricleRecognition

/// A failure of a provider, and what it means for the transcription. A value that decides, and does nothing.
struct Setback: Sendable, Equatable {
  /// What a session was about when it failed.
  enum Stage: Sendable, Hashable, CaseIterable {
    /// It was being opened.
    case opening
    /// It was given audio.
    case feeding
    /// It brought results.
    case answering
  }

  /// What went wrong.
  let error: RecognitionError
  /// What the session was about.
  let stage: Stage

  /// Why it does not recognise, as ``TranscriptionMachine`` has it.
  var reason: TranscriptionMachine.Reason {
    switch error.kind {
    case .offline: .offline
    case .busy: .busy
    case .authenticationFailed, .notAuthenticated, .authenticationModeMismatch: .authorizationPending
    default: error.kind.mayPass ? .transientFailure : .fatal
    }
  }

  /// Whether the way to the provider broke, and not the provider.
  var isOfNetwork: Bool { Self.networkKinds.contains(error.kind) }

  /// The event that tells of it, beside that of a session that is gone.
  var event: SessionEvent.Kind {
    if isOfNetwork { return .aiServiceNetworkError }
    if Self.accountKinds.contains(error.kind) { return .aiServiceUnauthorized }
    return stage == .feeding || Self.audioKinds.contains(error.kind)
      ? .aiServiceRecordingError : .aiServiceResponseError
  }

  private static let networkKinds: Set<RecognitionError.Kind> = [
    .connectionLost, .pingTimeout, .network, .offline, .timedOut,
  ]
  private static let accountKinds: Set<RecognitionError.Kind> = [
    .authenticationFailed, .notAuthenticated, .authenticationModeMismatch, .quotaExceeded,
  ]
  private static let audioKinds: Set<RecognitionError.Kind> = [
    .deviceLost, .microphoneDenied, .microphoneUsageTextMissing,
  ]
}

extension RecognitionError.Kind {
  /// Whether it can work without anybody doing anything.
  var mayPass: Bool { advice == .retry || advice == .rebuild }

  /// Whether the same can work some other time: by itself, or once a person has mended it.
  var maySucceedLater: Bool { advice == .retry || advice == .askUser }
}

extension RecognitionError {
  /// What a provider threw, of whatever type.
  init(fromProvider error: any Error) {
    switch error {
    case let error as RecognitionError: self = error
    case is CancellationError: self.init(.cancelled, "the recogniser was given up while it was made")
    default: self.init(.failed, PlainText.line("\(error)"))
    }
  }
}

extension IncompleteReason {
  /// The provider could not be reached, or could not go on; the text comes with a later revision.
  public static let textPending = IncompleteReason(rawValue: "textPending")
}
