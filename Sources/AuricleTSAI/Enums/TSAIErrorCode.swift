/// The domain of the errors that this layer hands out.
public let TSAIErrorDomain = "TSAIErrorDomain"

/// What went wrong. The raw values are TSAIKit's, and 1002 is not among them.
public enum TSAIErrorCode: Int, Sendable, CaseIterable {
  /// A value is not allowed.
  case invalidParameter = 1001
  /// Nothing is selected that could do it.
  case contextInactive = 1003
  /// No provider can do it.
  case providerUnavailable = 1004
  /// The device is not there.
  case bridgeUnavailable = 1005
  /// What was asked for is no longer the latest.
  case activationSuperseded = 1006
  /// Another recording is under way.
  case busy = 1007
  /// It was stopped before it was done.
  case cancelled = 1008
  /// Somebody has to agree, to sign in or to permit the microphone.
  case authorizationRequired = 1009
  /// It was tried and failed.
  case taskFailed = 1010
  /// The provider refuses what was said.
  case contentRejected = 1011
  /// It took too long.
  case timeout = 1012
  /// There is no network, or it failed.
  case networkUnavailable = 1013
  /// The provider answered what nobody understands.
  case invalidResponse = 1014
}
