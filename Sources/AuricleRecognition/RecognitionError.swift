import Foundation

/// What went wrong with a recogniser.
///
/// The set of kinds is open. ``Kind/advice`` says what a program can do about it.
public struct RecognitionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What a program can do about an error.
  public enum Advice: Sendable {
    /// Try the same again later.
    case retry
    /// Make a new provider or session.
    case rebuild
    /// Only a person can mend it.
    case askUser
    /// Nothing helps.
    case giveUp
  }

  /// A stable name and number of what went wrong.
  public struct Kind: Hashable, Sendable {
    /// The stable number, in the domain `auricle.recognition`.
    public let code: Int
    /// The stable name.
    public let name: String
    /// What a program can do about it.
    public let advice: Advice
    /// Creates a kind; numbers and names are stable and never reused.
    public init(code: Int, name: String, advice: Advice) {
      self.code = code
      self.name = name
      self.advice = advice
    }

    /// There is no model, or the engine is not installed.
    public static let notConfigured = Kind(code: 1, name: "notConfigured", advice: .askUser)
    /// The model is there, and it is broken or of an unknown kind.
    public static let invalidModel = Kind(code: 2, name: "invalidModel", advice: .askUser)
    /// The recogniser does not know the language.
    public static let languageUnsupported = Kind(code: 3, name: "languageUnsupported", advice: .askUser)
    /// A value in the configuration is not allowed.
    public static let invalidParameter = Kind(code: 4, name: "invalidParameter", advice: .askUser)
    /// The recogniser failed while it ran.
    public static let failed = Kind(code: 5, name: "failed", advice: .rebuild)
    /// The session was cancelled.
    public static let cancelled = Kind(code: 6, name: "cancelled", advice: .giveUp)
    /// The provider cannot do what is asked of it.
    public static let notSupported = Kind(code: 7, name: "notSupported", advice: .askUser)
    /// The provider does not accept the key or the account.
    public static let authenticationFailed = Kind(code: 8, name: "authenticationFailed", advice: .askUser)
    /// The account has used up what it may use.
    public static let quotaExceeded = Kind(code: 9, name: "quotaExceeded", advice: .askUser)
    /// Somebody has to sign in first.
    public static let notAuthenticated = Kind(code: 10, name: "notAuthenticated", advice: .askUser)
    /// The provider, or the session before this one, still has something to do.
    public static let busy = Kind(code: 11, name: "busy", advice: .retry)
    /// The system does not let the program hear the microphone.
    public static let microphoneDenied = Kind(code: 12, name: "microphoneDenied", advice: .askUser)
    /// The program does not say what it needs the microphone for. Its maker has to.
    public static let microphoneUsageTextMissing = Kind(code: 13, name: "microphoneUsageTextMissing", advice: .giveUp)
    /// A language is needed, and none is given.
    public static let languageEmpty = Kind(code: 14, name: "languageEmpty", advice: .askUser)
    /// The device is gone.
    public static let deviceLost = Kind(code: 15, name: "deviceLost", advice: .rebuild)
    /// The connection broke.
    public static let connectionLost = Kind(code: 16, name: "connectionLost", advice: .retry)
    /// The other side gave no sign of life in time.
    public static let pingTimeout = Kind(code: 17, name: "pingTimeout", advice: .retry)
    /// The network failed.
    public static let network = Kind(code: 18, name: "network", advice: .retry)
    /// There is no network, and it cannot be done without.
    public static let offline = Kind(code: 19, name: "offline", advice: .retry)
    /// Nothing is selected that could do it: no provider, or no device.
    public static let contextInactive = Kind(code: 20, name: "contextInactive", advice: .askUser)
    /// It took longer than it may.
    public static let timedOut = Kind(code: 21, name: "timedOut", advice: .retry)
    /// The provider refuses what was said.
    public static let contentRejected = Kind(code: 22, name: "contentRejected", advice: .giveUp)
    /// The provider is signed in to in another way than the one that is asked for.
    public static let authenticationModeMismatch = Kind(code: 23, name: "authenticationModeMismatch", advice: .askUser)
    /// The provider is there, and the service that is asked for is no part of it.
    public static let serviceMissing = Kind(code: 24, name: "serviceMissing", advice: .askUser)
    /// Nobody agreed to be recorded.
    public static let consentMissing = Kind(code: 25, name: "consentMissing", advice: .askUser)
    /// The provider answered what nobody understands.
    public static let invalidResponse = Kind(code: 26, name: "invalidResponse", advice: .rebuild)

    /// Every kind that is named here, in the order of the codes.
    public static let all: [Kind] = [
      .notConfigured, .invalidModel, .languageUnsupported, .invalidParameter,
      .failed, .cancelled, .notSupported, .authenticationFailed,
      .quotaExceeded, .notAuthenticated, .busy, .microphoneDenied,
      .microphoneUsageTextMissing, .languageEmpty, .deviceLost, .connectionLost,
      .pingTimeout, .network, .offline, .contextInactive,
      .timedOut, .contentRejected, .authenticationModeMismatch, .serviceMissing,
      .consentMissing, .invalidResponse,
    ]
  }

  /// What went wrong.
  public let kind: Kind
  /// One sentence for a person that says what to do, without a line break.
  public let message: String

  /// Creates an error.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The sentence for a person.
  public var description: String { message }
}

extension RecognitionError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
}
