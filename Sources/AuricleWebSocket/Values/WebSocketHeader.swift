/// One header of a request.
public struct WebSocketHeader: Sendable, Equatable, CustomStringConvertible {
  /// Its name.
  public let name: String
  /// Its value. May be a secret: it stands in no description.
  public let value: String

  /// Creates a header.
  /// - Throws: ``WebSocketError/Kind/invalidHeader``, when the name is no name or the value would begin another header.
  public init(_ name: String, _ value: String) throws(WebSocketError) {
    let isName = !name.isEmpty && name.utf8.allSatisfy(Self.isNameByte)
    let isValue = value.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }
    guard isName, isValue else {
      throw WebSocketError(.invalidHeader, "A header's name or value holds characters that are not allowed there.")
    }
    self.name = name
    self.value = value
  }

  /// The name alone.
  public var description: String { name }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
