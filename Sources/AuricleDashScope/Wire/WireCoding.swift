import Foundation

/// Why a message cannot be read.
public struct WireError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One sentence, without anything of the message.
  public let description: String
  /// The task that the message is of, as far as it says.
  public let taskID: String?

  init(_ description: String, taskID: String? = nil) {
    self.description = description
    self.taskID = taskID
  }
}

/// Reads and writes texts.
enum WireCoding {
  static func read(_ text: String) throws(WireError) -> JSONValue {
    do {
      return try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    } catch {
      throw WireError("The message is no JSON.")
    }
  }

  static func write(_ value: JSONValue) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Self.finite(value)) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }

  /// JSON has no infinity; what is not finite becomes nothing.
  private static func finite(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number(let number) where !number.isFinite: .null
    case .array(let values): .array(values.map(finite))
    case .object(let values): .object(values.mapValues(finite))
    case .null, .bool, .integer, .number, .string: value
    }
  }
}

extension [String: JSONValue?] {
  /// An object of what is there.
  var object: JSONValue { .object(compactMapValues { $0 }) }
}
