import AuricleAudio

/// How a recording stands at one moment, for whoever shows it.
public struct RecordingStatus: Sendable, Hashable {
  /// What the recording does.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Audio is taken and written.
    case recording
    /// Nothing is taken until it is resumed; time goes on.
    case paused
    /// The file is closed, and the last words are waited for.
    case finishing
  }

  /// What it does.
  public var phase: Phase
  /// Seconds of the recording so far, pauses and gaps included; where the next sample will stand in the file.
  public var seconds: Double
  /// How loud it was since the status before; silence while nothing is taken.
  public var level: AudioLevel
  /// The size of the audio file, in bytes.
  public var byteCount: Int64
  /// The room that is left on its disk, in bytes; `nil` when nobody knows.
  public var freeByteCount: Int64?
  /// Seconds in which audio is missing for any reason but a pause.
  public var missingSeconds: Double
  /// Seconds up to which the recogniser has heard the recording; `nil` without one.
  public var heardSeconds: Double?

  /// Creates a status.
  public init(
    phase: Phase, seconds: Double, level: AudioLevel, byteCount: Int64, freeByteCount: Int64?,
    missingSeconds: Double = 0, heardSeconds: Double? = nil
  ) {
    self.phase = phase
    self.seconds = seconds
    self.level = level
    self.byteCount = byteCount
    self.freeByteCount = freeByteCount
    self.missingSeconds = missingSeconds
    self.heardSeconds = heardSeconds
  }
}
