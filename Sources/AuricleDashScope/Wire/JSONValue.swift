/// A value of JSON whose meaning is somebody else's: parameters that are passed through.
public enum JSONValue: Sendable, Hashable, Codable {
  /// Nothing.
  case null
  /// Yes or no.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// A number.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Values by names.
  case object([String: JSONValue])

  /// Reads a value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// A whole number, also where it is written as a text or with a point; `nil` where there is none.
  var wholeNumber: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int(exactly: value.rounded())
    case .string(let value): Int(value)
    case .null, .bool, .array, .object: nil
    }
  }

  /// Yes or no, also where it is written as a text or a number; `nil` where it is neither.
  var truth: Bool? {
    switch self {
    case .bool(let value): value
    case .string(let value): ["true": true, "false": false][value.lowercased()]
    case .integer(0): false
    case .integer(1): true
    case .integer, .null, .number, .array, .object: nil
    }
  }

  /// A text; `nil` where it is none.
  var text: String? { if case .string(let value) = self { value } else { nil } }

  /// A value by its name; `nil` where there is none.
  subscript(_ name: String) -> JSONValue? { if case .object(let values) = self { values[name] } else { nil } }

  /// A list; empty where it is none.
  var elements: [JSONValue] { if case .array(let values) = self { values } else { [] } }
}
