/// Why an ambient capture does not run. The set is open; names are stable.
public struct AmbientReason: RawRepresentable, Sendable, Hashable, Codable {
  /// The stable name.
  public let rawValue: String
  /// Creates a reason.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It runs.
  public static let none = AmbientReason(rawValue: "none")
  /// Nobody started it yet.
  public static let notStarted = AmbientReason(rawValue: "notStarted")
  /// The host paused it.
  public static let paused = AmbientReason(rawValue: "paused")
  /// The application lost the foreground.
  public static let background = AmbientReason(rawValue: "background")
  /// Another sound, such as a call, took over.
  public static let audioInterruption = AmbientReason(rawValue: "audioInterruption")
  /// Another microphone or loudspeaker came or went.
  public static let routeChange = AmbientReason(rawValue: "routeChange")
  /// The audio engine was set up anew.
  public static let reconfiguration = AmbientReason(rawValue: "reconfiguration")
  /// Others are present.
  public static let participantsChanged = AmbientReason(rawValue: "participantsChanged")
  /// Somebody said no.
  public static let denied = AmbientReason(rawValue: "denied")
  /// The system took its permission back.
  public static let permissionRevoked = AmbientReason(rawValue: "permissionRevoked")
  /// The device delivers what cannot be taken.
  public static let unsupportedFormat = AmbientReason(rawValue: "unsupportedFormat")
  /// Samples were not finite.
  public static let nonFiniteSamples = AmbientReason(rawValue: "nonFiniteSamples")
  /// Frames were numbered backwards, or a buffer was out of range.
  public static let invalidTiming = AmbientReason(rawValue: "invalidTiming")
  /// A buffer was larger than the policy allows.
  public static let bufferTooLarge = AmbientReason(rawValue: "bufferTooLarge")
  /// The consumer failed.
  public static let consumerFailed = AmbientReason(rawValue: "consumerFailed")
  /// The source came to its end.
  public static let sourceEnded = AmbientReason(rawValue: "sourceEnded")
  /// The source failed.
  public static let sourceFailed = AmbientReason(rawValue: "sourceFailed")
  /// Consent was withdrawn, for good.
  public static let withdrawn = AmbientReason(rawValue: "withdrawn")
  /// The time is over, for good.
  public static let expired = AmbientReason(rawValue: "expired")
}

extension AmbientReason {
  /// What a buffer that could not be made means for the capture.
  init(_ error: AmbientError) {
    switch error.kind {
    case .unsupportedFormat: self = .unsupportedFormat
    case .nonFiniteSamples: self = .nonFiniteSamples
    case .invalidBuffer: self = .invalidTiming
    default: self = .sourceFailed
    }
  }
}

/// A boundary at which a capture stops, forwarded by the host or told by the source.
public enum AmbientInterruption: String, Sendable, Hashable, Codable, CaseIterable {
  /// The application lost the foreground.
  case background
  /// Another sound, such as a call, took over.
  case audioInterruption
  /// Another microphone or loudspeaker came or went.
  case routeChange
  /// The audio engine was set up anew.
  case reconfiguration

  var reason: AmbientReason {
    switch self {
    case .background: .background
    case .audioInterruption: .audioInterruption
    case .routeChange: .routeChange
    case .reconfiguration: .reconfiguration
    }
  }
}
