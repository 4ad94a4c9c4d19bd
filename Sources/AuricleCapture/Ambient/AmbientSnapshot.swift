import AuricleConsent

/// The state of an ambient capture, in numbers and stable names: no sample, no participant, no free text.
///
/// At rest, ``received`` = ``cleared`` + ``owned`` and ``admitted`` ≤ ``received``.
public struct AmbientSnapshot: Sendable, Hashable, Codable {
  /// Why it does not run; `none` while it does.
  public let reason: AmbientReason
  /// Whether samples may pass.
  public let isCapturing: Bool
  /// The latest attempt; 0 before the first one.
  public let epoch: UInt64
  /// Buffers that were handed over.
  public let received: Int
  /// Of those, how many were overwritten.
  public let cleared: Int
  /// Of those, how many the consumer was lent.
  public let admitted: Int
  /// Of those, how many are held now: 0 or 1.
  public let owned: Int
  /// Of those, how many came while the consumer was busy.
  public let dropped: Int
  /// Whether each stop of the source worked.
  public let isSourceCleanedUp: Bool
  /// Whether the system lets this program listen.
  public let permission: CapturePermission
  /// How many are present, agreed and said no.
  public let consent: AmbientConsentCounts
  /// Whether nothing is heard and nothing of what was heard is left in memory that the capture owns.
  public let cleanupComplete: Bool
}

/// What the participants said, in numbers.
public struct AmbientConsentCounts: Sendable, Hashable, Codable {
  /// How many are present.
  public let participants: Int
  /// How many agreed.
  public let granted: Int
  /// How many said no.
  public let denied: Int

  init(_ consent: ConsentAnswers) {
    participants = consent.participants.count
    granted = consent.grantedCount
    denied = consent.deniedCount
  }
}

/// A step of an ambient capture as another implementation could compare it: names and numbers only.
public struct AmbientTransition: Sendable, Hashable, Codable {
  /// What happened: the method, or the source's event.
  public let event: String
  /// Whether it was accepted.
  public let isAccepted: Bool
  /// Why the capture does not run after it; `none` while it does.
  public let reason: AmbientReason
  /// The latest attempt after it.
  public let epoch: UInt64
}

/// The counts of buffers.
struct AmbientCounts: Sendable {
  var received = 0
  var cleared = 0
  var admitted = 0
  var dropped = 0

  mutating func clear(_ buffer: CapturePCMBuffer) {
    buffer.clear()
    cleared += 1
  }
}
