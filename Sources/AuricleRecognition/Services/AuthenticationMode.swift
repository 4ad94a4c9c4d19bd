/// Who signs in to a provider.
public enum AuthenticationMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// Nobody needs to.
  case none
  /// The device does, on the provider's behalf.
  case deviceInitiated
  /// The program does.
  case appInitiated
}
