/// A provider as it is registered: who it is, what it offers, and how to get at it. Nothing is loaded or connected yet.
///
/// Each service is optional; one that is missing is not supported.
public struct ServiceProvider: Sendable {
  /// Makes the recogniser, or finds the one that was made; ends promptly when its task is cancelled.
  public typealias Recognition = @Sendable () async throws(RecognitionError) -> any RecognitionProvider

  /// Who makes it; unique in a registry, and stands in reports.
  public let vendor: String
  /// Of which version it is.
  public let version: String
  /// Who signs in to it.
  public let authenticationMode: AuthenticationMode
  /// What its recogniser can do.
  public let capabilities: ProviderCapabilities
  /// What it offers.
  public let features: ServiceFeatures
  /// Its recogniser; `nil` when it has none. Its session may fail with `notAuthenticated`.
  public let recognition: Recognition?

  /// Describes a provider.
  public init(
    vendor: String, version: String, authenticationMode: AuthenticationMode = .none,
    capabilities: ProviderCapabilities, features: ServiceFeatures = [.aiAudioRecording, .callAudioRecording],
    recognition: Recognition?
  ) {
    self.vendor = vendor
    self.version = version
    self.authenticationMode = authenticationMode
    self.capabilities = capabilities
    self.features = features
    self.recognition = recognition
  }

  /// Describes a recogniser that is there already.
  public init(
    _ provider: any RecognitionProvider, version: String, authenticationMode: AuthenticationMode = .none,
    features: ServiceFeatures = [.aiAudioRecording, .callAudioRecording]
  ) {
    self.init(
      vendor: provider.vendor, version: version, authenticationMode: authenticationMode,
      capabilities: provider.capabilities, features: features, recognition: { () throws(RecognitionError) in provider })
  }
}
