/// Why the audio of a recording ended. The set is open.
///
/// In JSON it is its name.
public struct StopReason: Hashable, Sendable {
  /// The stable number; 0 for a name that this code does not know.
  public let rawValue: Int
  /// The stable name, as it stands in reports.
  public let name: String

  /// Creates a reason; numbers and names are stable and never reused.
  public init(rawValue: Int, name: String) {
    self.rawValue = rawValue
    self.name = name
  }

  /// Nobody knows.
  public static let unknown = StopReason(rawValue: 0, name: "unknown")
  /// The user ended it, also beforehand by naming a length, or by ending the stream that was recorded.
  public static let userInitiated = StopReason(rawValue: 1, name: "userInitiated")
  /// It was as long as a recording may be.
  public static let maxDurationReached = StopReason(rawValue: 2, name: "maxDurationReached")
  /// The source failed.
  public static let deviceError = StopReason(rawValue: 3, name: "deviceError")
  /// The disk was full.
  public static let storageFull = StopReason(rawValue: 4, name: "storageFull")
  /// The device went away.
  public static let disconnected = StopReason(rawValue: 5, name: "disconnected")
  /// It was cut off from outside.
  public static let interrupted = StopReason(rawValue: 6, name: "interrupted")

  private static let all = [
    unknown, userInitiated, maxDurationReached, deviceError, storageFull, disconnected, interrupted,
  ]
}

extension StopReason: Codable {
  /// Reads a name.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    self = Self.all.first { $0.name == name } ?? StopReason(rawValue: 0, name: name)
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
