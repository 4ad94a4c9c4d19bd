/// How a recording stands on disk.
///
/// Samples are 16-bit, at the source's own rate and channel count.
public enum RecordingFormat: String, Sendable, CaseIterable {
  /// PCM in a WAV, valid at any moment; beyond 4 GiB it is an RF64.
  case wav
  /// FLAC: the same samples in about half the room.
  case flac
  /// Opus in Ogg: small and lossy. Rates that Opus does not have are turned into 48,000 Hz.
  case opus

  /// The name of the audio file in the recording's folder.
  public var fileName: String { "audio.\(rawValue)" }
}
