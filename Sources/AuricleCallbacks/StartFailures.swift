import AuricleRecognition
import AuricleSession

/// Why a start fails before there is a session.
enum StartFailure {
  case noEnvironment
  case noConsent
  case stopped
}

extension SessionFailure {
  init(_ failure: StartFailure) {
    switch failure {
    case .noEnvironment:
      self.init(RecognitionError(.contextInactive, "no environment is set; set one before you record"))
    case .noConsent:
      let message = "nobody agreed to be recorded; set a consent provider that names everyone who agreed"
      self.init(RecognitionError(.consentMissing, message))
    case .stopped: self.init(RecognitionError(.cancelled, "it was stopped before it started"))
    }
  }
}

extension SessionEvent {
  /// What a start that failed before there was a session has to tell.
  static func failedStart(_ failure: SessionFailure, at time: Timestamp?) -> [SessionEvent] {
    let moment = time.map { Moment(millisecondsSince1970: $0.millisecondsSince1970, sessionSeconds: 0) }
    var wanted = SessionEvent(.userInitiatedToStart, time: 0)
    var failed = SessionEvent(.sessionStartFailed, time: 0, evidence: failure.message, error: Failure(failure))
    wanted.moment = moment
    failed.moment = moment
    return [wanted, failed]
  }
}
