import Foundation

/// A moment of the wall clock, to the millisecond.
///
/// Written as RFC 3339 in UTC: `2025-01-31T09:30:00.250Z`.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let millisecondsSince1970: Int64

  /// Creates a moment.
  public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// Creates a moment from a date; what is finer than a millisecond is rounded.
  public init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let limit = 253_402_300_799_999.0  // the end of the year 9999
    millisecondsSince1970 = Int64(min(max(milliseconds.isFinite ? milliseconds : 0, -limit), limit))
  }

  /// Reads what ``description`` writes.
  /// - Returns: `nil` when the text is not a moment of that form.
  public init?(_ text: String) {
    guard let date = try? Date(text, strategy: Self.style) else { return nil }
    self.init(date)
  }

  /// The moment as a date.
  public var date: Date { Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1000) }

  /// The moment in RFC 3339, UTC, with milliseconds.
  public var description: String {
    // A date is a binary fraction and its formatter cuts off: half a millisecond keeps 0.250 from becoming 0.249.
    Date(timeIntervalSince1970: (Double(millisecondsSince1970) + 0.5) / 1000).formatted(Self.style)
  }

  /// Compares by time.
  public static func < (left: Self, right: Self) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

extension Timestamp: Codable {
  /// Reads an RFC 3339 string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a moment in RFC 3339: \(text)")
    }
    self = value
  }

  /// Writes an RFC 3339 string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
