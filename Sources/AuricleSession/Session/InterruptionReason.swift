/// What took the source of a recording away. The set is open.
///
/// The numbers are those of the devices; see `StopReason.interrupted` for what it does to a recording.
public struct InterruptionReason: Hashable, Sendable {
  /// The stable number; −1 for what this code does not know.
  public let rawValue: Int
  /// The stable name, as it stands in the details of events.
  public let name: String

  /// Creates a reason; numbers and names are stable and never reused.
  public init(rawValue: Int, name: String) {
    self.rawValue = rawValue
    self.name = name
  }

  /// Nobody knows.
  public static let unknown = InterruptionReason(rawValue: -1, name: "unknown")
  /// The device's battery is nearly empty.
  public static let lowBattery = InterruptionReason(rawValue: 1, name: "lowBattery")
  /// Somebody calls.
  public static let incomingCall = InterruptionReason(rawValue: 2, name: "incomingCall")
  /// Something else.
  public static let other = InterruptionReason(rawValue: 255, name: "other")

  /// The reason with that number; ``unknown`` when there is none.
  public init(number: Int) {
    let all = [Self.lowBattery, .incomingCall, .other]
    self = all.first { $0.rawValue == number } ?? .unknown
  }
}
