/// Whether the system lets this program listen at all. It is nobody's consent.
public enum CapturePermission: String, Sendable, Hashable, Codable, CaseIterable {
  /// Nobody was asked yet.
  case undetermined
  /// It may not.
  case denied
  /// It may.
  case granted
}
