import AuricleAudio
import AuricleRecognition
import AuricleSession
import Foundation

extension TSAIErrorCode {
  /// What the kinds of the core are to TSAIKit.
  static let codes: [RecognitionError.Kind: TSAIErrorCode] = [
    .notConfigured: .providerUnavailable, .invalidModel: .providerUnavailable, .languageUnsupported: .invalidParameter,
    .invalidParameter: .invalidParameter, .failed: .taskFailed, .cancelled: .cancelled,
    .notSupported: .providerUnavailable, .authenticationFailed: .authorizationRequired,
    .quotaExceeded: .providerUnavailable, .notAuthenticated: .authorizationRequired, .busy: .busy,
    .microphoneDenied: .authorizationRequired, .microphoneUsageTextMissing: .authorizationRequired,
    .languageEmpty: .invalidParameter, .deviceLost: .bridgeUnavailable, .connectionLost: .networkUnavailable,
    .pingTimeout: .timeout, .network: .networkUnavailable, .offline: .networkUnavailable,
    .contextInactive: .contextInactive, .timedOut: .timeout, .contentRejected: .contentRejected,
    .authenticationModeMismatch: .authorizationRequired, .serviceMissing: .providerUnavailable,
    .consentMissing: .authorizationRequired, .invalidResponse: .invalidResponse,
  ]

  /// What the kinds of a device's errors are to TSAIKit; of the others the task failed.
  private static let byDevice: [String: TSAIErrorCode] = [
    DeviceError.Kind.disconnected.name: .bridgeUnavailable, DeviceError.Kind.busy.name: .busy,
    DeviceError.Kind.notSupported.name: .providerUnavailable,
    DeviceError.Kind.invalidParameter.name: .invalidParameter, DeviceError.Kind.timedOut.name: .timeout,
    DeviceError.Kind.cancelled.name: .cancelled, DeviceError.Kind.requestUnknown.name: .activationSuperseded,
    DeviceError.Kind.requestExpired.name: .activationSuperseded,
    DeviceError.Kind.alreadyReported.name: .activationSuperseded,
    DeviceError.Kind.notHappened.name: .contextInactive, DeviceError.Kind.notAsked.name: .contextInactive,
    DeviceError.Kind.closed.name: .contextInactive,
  ]

  private static let byName = [String: TSAIErrorCode](
    uniqueKeysWithValues: codes.map { ($0.key.name, $0.value) })

  init(_ failure: SessionFailure) {
    switch failure.domain {
    case SessionFailure.recognitionDomain: self = Self.byName[failure.code] ?? .taskFailed
    case SessionFailure.audioDomain: self = Self(audio: failure.code)
    case SessionFailure.deviceDomain: self = Self.byDevice[failure.code] ?? .taskFailed
    default: self = .taskFailed
    }
  }

  private init(audio name: String) {
    switch name {
    case AudioError.Kind.deviceLost.name, AudioError.Kind.notFound.name, AudioError.Kind.serverLost.name:
      self = .bridgeUnavailable
    case AudioError.Kind.notPermitted.name: self = .authorizationRequired
    case AudioError.Kind.timedOut.name: self = .timeout
    default: self = .taskFailed
    }
  }
}

/// What an error of this layer says beside TSAIKit's code.
public enum TSAIErrorKey {
  /// The core's domain, a `String`.
  public static let failureDomain = "AuricleFailureDomain"
  /// The core's stable name of what went wrong, a `String`.
  public static let failureCode = "AuricleFailureCode"
}

extension NSError {
  /// A failure of the core as TSAIKit has it.
  convenience init(tsai failure: SessionFailure) {
    let information: [String: Any] = [
      NSLocalizedDescriptionKey: failure.message, TSAIErrorKey.failureDomain: failure.domain,
      TSAIErrorKey.failureCode: failure.code,
    ]
    self.init(domain: TSAIErrorDomain, code: TSAIErrorCode(failure).rawValue, userInfo: information)
  }
}
