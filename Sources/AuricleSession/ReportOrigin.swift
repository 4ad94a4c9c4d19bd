/// Who agreed to be recorded, when, and under which policy.
///
/// Participants are opaque references that the host chose; they stand in reports and journals and nowhere else.
public struct ReportConsent: Codable, Sendable, Hashable {
  /// Who agreed.
  public let participants: [String]
  /// When they had agreed.
  public let grantedAt: Timestamp
  /// The policy that they agreed to.
  public let policyRevision: String

  /// Names a consent.
  public init(participants: [String], grantedAt: Timestamp, policyRevision: String) {
    self.participants = participants
    self.grantedAt = grantedAt
    self.policyRevision = policyRevision
  }
}

extension ReportConsent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// How many agreed and when; never who.
  public var description: String { "consent of \(participants.count), granted at \(grantedAt)" }
  /// The same.
  public var debugDescription: String { description }
  /// The same, so that a dump of a report or a journal does not show who either.
  public var customMirror: Mirror { Mirror(self, children: ["participantCount": participants.count]) }
}

/// The device that a recording came from.
public struct ReportDevice: Codable, Sendable, Hashable {
  /// The device's name, as programs call it.
  public let name: String
  /// The device's name, as people call it.
  public let description: String

  /// Names a device.
  public init(name: String, description: String) {
    self.name = name
    self.description = description
  }
}
