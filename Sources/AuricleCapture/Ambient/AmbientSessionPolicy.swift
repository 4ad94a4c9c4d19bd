/// The rules of an ambient session, fixed when it is made.
public struct AmbientSessionPolicy: Sendable, Hashable {
  /// What the participants agree to: the revision of the host's policy.
  public var revision: String
  /// How long the session may last from its construction, pauses included. It cannot be renewed.
  public var maximumDuration: Duration
  /// The most bytes of samples that a buffer may hold; a larger one ends the capture instead of reaching the consumer.
  public var maximumBufferBytes: Int
  /// Whether a timer ends the session at its deadline. Without it the host calls ``AmbientAudioCapture/expire()``;
  /// the deadline is checked before every delivery either way.
  public var expiresAutomatically: Bool

  /// Creates a policy.
  /// - Parameters:
  ///   - revision: What the participants agree to.
  ///   - maximumDuration: Above zero; four hours by default.
  ///   - maximumBufferBytes: Up to 65,536, which is what the largest buffer has and the default.
  ///   - expiresAutomatically: Whether a timer ends the session.
  public init(
    revision: String, maximumDuration: Duration = .seconds(4 * 3_600),
    maximumBufferBytes: Int = CapturePCMBuffer.frameCounts.upperBound * MemoryLayout<Float>.size,
    expiresAutomatically: Bool = true
  ) {
    self.revision = revision
    self.maximumDuration = maximumDuration
    self.maximumBufferBytes = maximumBufferBytes
    self.expiresAutomatically = expiresAutomatically
  }
}
