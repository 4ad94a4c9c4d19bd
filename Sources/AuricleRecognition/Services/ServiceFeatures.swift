/// What a provider offers, as a mask.
public struct ServiceFeatures: OptionSet, Sendable, Hashable {
  /// One bit for each feature.
  public let rawValue: Int
  /// Takes over a mask.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// People in a room are recorded and transcribed.
  public static let aiAudioRecording = ServiceFeatures(rawValue: 1 << 9)
  /// A call is recorded and transcribed.
  public static let callAudioRecording = ServiceFeatures(rawValue: 1 << 10)
  /// Something is recorded, and nobody transcribes it.
  public static let normalAudioRecording = ServiceFeatures(rawValue: 1 << 11)
}
