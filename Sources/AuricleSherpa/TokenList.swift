import Foundation

/// The list of a model's tokens: a token and its number in each line. The engine ends the process on any other file.
enum TokenList {
  /// So much of the file is looked at, in bytes.
  static let headLength = 1 << 16

  /// Whether the beginning of a file looks like a list: every whole line ends in a number.
  static func isLikely(_ head: Data) -> Bool {
    var lines = head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // The last line may go on behind what was read; the only one is looked at all the same.
    if lines.count > 1 { lines.removeLast() }
    let isNumbered = lines.map { line -> Bool? in
      let fields = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
      return fields.last.map { !$0.isEmpty && $0.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }
    }
    return isNumbered.contains(true) && !isNumbered.contains(false)
  }
}
