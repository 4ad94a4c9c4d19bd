import Foundation

/// Writes JSON whose order of keys is stable and whose strings hold nothing that steers a terminal.
public enum JSONText {
  /// Encodes a value, keys in alphabetical order.
  /// - Parameters:
  ///   - value: What is written.
  ///   - isPretty: Over several lines with indentation, else on one line.
  /// - Throws: `EncodingError`, when the value refuses.
  public static func encode(_ value: some Encodable, isPretty: Bool = false) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return escaped(closingEmpty(String(decoding: try encoder.encode(value), as: UTF8.self)), keeping: "\n")
  }

  /// Writes empty arrays and objects on one line. A raw line break never stands in a string.
  private static func closingEmpty(_ json: String) -> String {
    json.replacing(#/([\[{])\n\s*([\]}])/#) { "\($0.1)\($0.2)" }
  }

  /// A string as JSON, with its quotes.
  static func string(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      default: json.unicodeScalars.append(scalar)
      }
    }
    return escaped(json, keeping: nil) + "\""
  }

  /// Writes what steers a terminal as `\uXXXX`. In JSON it can only stand in strings, so that changes no value.
  private static func escaped(_ json: String, keeping kept: Unicode.Scalar?) -> String {
    guard !json.unicodeScalars.allSatisfy({ $0 == kept || isPlain($0) }) else { return json }
    var result = ""
    for scalar in json.unicodeScalars {
      if scalar == kept || isPlain(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 { result += "\\u" + hexadecimal(unit) }
      }
    }
    return result
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    (" "..."~").contains(scalar) || (scalar.value >= 0xA0 && PlainText.isHarmless(scalar))
  }

  private static func hexadecimal(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
