import AuricleSession

/// Why the audio of a recording ended. The raw values are TSAIKit's.
public enum TSAudioRecordStopReason: UInt, Sendable, CaseIterable {
  /// Nobody knows.
  case unknown = 0
  /// The user ended it.
  case userInitiated = 1
  /// It was as long as a recording may be.
  case maxDurationReached = 2
  /// The source failed.
  case deviceError = 3
  /// The disk, or the device's storage, was full.
  case storageFull = 4
  /// The device went away.
  case disconnected = 5
  /// It was cut off from outside.
  case interrupted = 6

  init(_ reason: StopReason) { self = Self(rawValue: UInt(clamping: reason.rawValue)) ?? .unknown }
}
