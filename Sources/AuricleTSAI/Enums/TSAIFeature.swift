import AuricleRecognition

/// What can be recorded, as a mask. The bits are TSAIKit's.
public struct TSAIFeature: OptionSet, Sendable, Hashable {
  /// One bit for each feature.
  public let rawValue: UInt
  /// Takes over a mask.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// People in a room are recorded and transcribed.
  public static let aiAudioRecording = TSAIFeature(rawValue: 1 << 9)
  /// A call is recorded and transcribed.
  public static let callAudioRecording = TSAIFeature(rawValue: 1 << 10)
  /// Something is recorded, and nobody transcribes it.
  public static let normalAudioRecording = TSAIFeature(rawValue: 1 << 11)

  /// The same mask in the core.
  var features: ServiceFeatures { ServiceFeatures(rawValue: Int(truncatingIfNeeded: rawValue)) }
}
