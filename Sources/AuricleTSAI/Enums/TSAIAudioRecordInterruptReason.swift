import AuricleSession

/// Why a device interrupts a recording. The raw values are TSAIKit's.
public enum TSAIAudioRecordInterruptReason: Int, Sendable, CaseIterable {
  /// Nobody knows.
  case unknown = -1
  /// The device's battery is low.
  case lowBattery = 1
  /// Somebody calls.
  case incomingCall = 2
  /// Something else.
  case other = 255

  init(_ reason: InterruptionReason) { self = Self(rawValue: reason.rawValue) ?? .unknown }
}
