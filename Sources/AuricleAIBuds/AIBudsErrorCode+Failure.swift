import AuricleAudio
import AuricleRecognition
import AuricleSession
import Foundation

/// An error as AIBuds numbers it.
enum AIBudsCode: Sendable, Hashable {
  case sdk(AIBudsSDKErrorCode)
  case provider(AIBudsProviderErrorCode)

  /// What the kinds of the core are to AIBuds; one that is not here is unknown.
  static let codes: [RecognitionError.Kind: AIBudsCode] = [
    .notConfigured: .sdk(.vendorNotConfigured), .serviceMissing: .sdk(.serviceNotInstalled),
    .notSupported: .sdk(.notSupported), .languageUnsupported: .sdk(.notSupported),
    .authenticationModeMismatch: .sdk(.authenticationModeMismatch),
    .authenticationFailed: .provider(.authenticationFailed), .quotaExceeded: .provider(.quotaExceeded),
    .notAuthenticated: .provider(.notAuthenticated), .busy: .provider(.busy),
    .microphoneUsageTextMissing: .provider(.microphoneUsageTextMissing),
    .microphoneDenied: .provider(.microphoneDenied), .languageEmpty: .provider(.languageEmpty),
    .deviceLost: .provider(.deviceLinkLost), .connectionLost: .provider(.socketLost),
    .pingTimeout: .provider(.pingTimeout), .network: .provider(.network), .offline: .provider(.offline),
  ]

  private static let byDevice: [String: AIBudsCode] = [
    DeviceError.Kind.disconnected.name: .provider(.deviceLinkLost), DeviceError.Kind.busy.name: .provider(.busy),
    DeviceError.Kind.notSupported.name: .sdk(.notSupported),
  ]

  private static let byName = [String: AIBudsCode](uniqueKeysWithValues: codes.map { ($0.key.name, $0.value) })

  init(_ failure: SessionFailure) {
    switch failure.domain {
    case SessionFailure.recognitionDomain: self = Self.byName[failure.code] ?? .sdk(.unknown)
    case SessionFailure.audioDomain: self = Self(audio: failure.code)
    case SessionFailure.deviceDomain: self = Self.byDevice[failure.code] ?? .sdk(.unknown)
    default: self = .sdk(.unknown)
    }
  }

  private init(audio name: String) {
    switch name {
    case AudioError.Kind.deviceLost.name, AudioError.Kind.serverLost.name: self = .provider(.deviceLinkLost)
    case AudioError.Kind.notPermitted.name: self = .provider(.microphoneDenied)
    default: self = .sdk(.unknown)
    }
  }

  var domain: String {
    switch self {
    case .sdk: AIBudsSDKErrorDomain
    case .provider: AIBudsProviderErrorDomain
    }
  }

  var number: Int {
    switch self {
    case .sdk(let code): code.rawValue
    case .provider(let code): code.rawValue
    }
  }
}

/// What an error of this layer says beside AIBuds' code.
public enum AIBudsErrorKey {
  /// The core's domain, a `String`.
  public static let failureDomain = "AuricleFailureDomain"
  /// The core's stable name of what went wrong, a `String`.
  public static let failureCode = "AuricleFailureCode"
}

extension NSError {
  /// A failure of the core as AIBuds has it.
  convenience init(aiBuds failure: SessionFailure) {
    let code = AIBudsCode(failure)
    let information: [String: Any] = [
      NSLocalizedDescriptionKey: failure.message, AIBudsErrorKey.failureDomain: failure.domain,
      AIBudsErrorKey.failureCode: failure.code,
    ]
    self.init(domain: code.domain, code: code.number, userInfo: information)
  }
}
