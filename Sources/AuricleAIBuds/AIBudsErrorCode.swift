/// The domain of errors of the SDK itself.
public let AIBudsSDKErrorDomain = "AIBudsSDKErrorDomain"
/// The domain of errors of a provider.
public let AIBudsProviderErrorDomain = "AIBudsProviderErrorDomain"

/// What went wrong in the SDK. The raw values are AIBuds'.
public enum AIBudsSDKErrorCode: Int, Sendable, CaseIterable {
  /// Something else; the error's `userInfo` has the core's name of it.
  case unknown = -1
  /// No provider is registered or selected.
  case vendorNotConfigured = 1001
  /// The provider has no such service.
  case serviceNotInstalled = 1002
  /// The provider cannot do what is asked of it.
  case notSupported = 1003
  /// The provider is signed in to in another way.
  case authenticationModeMismatch = 1004
}

/// What went wrong with a provider. The raw values are AIBuds'.
public enum AIBudsProviderErrorCode: Int, Sendable, CaseIterable {
  /// The provider does not accept the key or the account.
  case authenticationFailed = 1001
  /// The account has used up what it may use.
  case quotaExceeded = 1002
  /// Somebody has to sign in first.
  case notAuthenticated = 1003
  /// There is something else to do.
  case busy = 1004
  /// The program does not say what it needs the microphone for.
  case microphoneUsageTextMissing = 1005
  /// The system does not let the program hear the microphone.
  case microphoneDenied = 1006
  /// A language is needed, and none is given.
  case languageEmpty = 7001
  /// The link to the device was lost while it recorded.
  case deviceLinkLost = 7002
  /// The connection to the provider was lost.
  case socketLost = 7003
  /// The provider gave no sign of life in time.
  case pingTimeout = 7004
  /// The network failed.
  case network = 7005
  /// There is no network.
  case offline = 9999
}
