/// A place in a recording, to the millisecond, split up for people and players.
public struct ClockTime: Sendable, Hashable, Comparable {
  /// Milliseconds from the start, not negative.
  public let milliseconds: Int64

  /// Creates a time; a negative one, and a number that is none, becomes 0, and 30,000 years are the end.
  public init(seconds: Double) {
    let exact = (seconds * 1000).rounded()
    milliseconds = exact.isFinite ? Int64(min(max(exact, 0), 1e15)) : 0
  }

  /// Creates a time.
  init(milliseconds: Int64) { self.milliseconds = max(0, milliseconds) }

  /// `1:02:03`, or `2:03` in the first hour; full seconds, cut off.
  public var short: String {
    let seconds = milliseconds / 1000
    let hours = seconds / 3600
    let rest = (hours > 0 ? Self.digits(seconds / 60 % 60, 2) : "\(seconds / 60)") + ":" + Self.digits(seconds % 60, 2)
    return hours > 0 ? "\(hours):\(rest)" : rest
  }

  /// `01:02:03.456`, with at least two digits of hours.
  func long(fraction: String) -> String {
    let seconds = milliseconds / 1000
    return Self.digits(seconds / 3600, 2) + ":" + Self.digits(seconds / 60 % 60, 2) + ":"
      + Self.digits(seconds % 60, 2) + fraction + Self.digits(milliseconds % 1000, 3)
  }

  /// Compares by time.
  public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

  private static func digits(_ number: Int64, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
