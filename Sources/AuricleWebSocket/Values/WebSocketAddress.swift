/// Where a server is: `ws://` or `wss://`, a host, a port and a path.
public struct WebSocketAddress: Sendable, Hashable, CustomStringConvertible {
  /// Whether the connection is encrypted.
  public let isSecure: Bool
  /// A name or a number; IPv6 without brackets.
  public let host: String
  /// The port.
  public let port: Int
  /// The path with its query; begins with a slash.
  public let path: String

  /// Reads an address.
  /// - Throws: ``WebSocketError/Kind/invalidAddress``, with a sentence that says what is wrong.
  public init(_ text: String) throws(WebSocketError) {
    guard let mark = text.range(of: "://") else { throw Self.invalid("has no ws:// or wss:// in front") }
    let scheme = text[..<mark.lowerBound].lowercased()
    switch scheme {
    case "ws": isSecure = false
    case "wss": isSecure = true
    case "http", "https":
      throw Self.invalid("begins with \(scheme)://: a WebSocket address begins with ws:// or wss://")
    default: throw Self.invalid("does not begin with ws:// or wss://")
    }
    let rest = text[mark.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    (host, port) = try Self.authority(rest[..<end], defaultPort: isSecure ? 443 : 80)
    path = try Self.path(rest[end...])
  }

  /// The address as it is written, which holds no secret.
  public var description: String {
    "\(isSecure ? "wss" : "ws")://\(authority)\(path.prefix { $0 != "?" })"
  }

  /// Whether the server is this machine.
  public var isLoopback: Bool { Self.isLoopback(host) }

  /// The host as it stands in the `Host` header: with brackets around IPv6, and with a port that is not the usual one.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// Whether a host is this machine: a name that always is, or a number of the loopback network.
  public static func isLoopback(_ host: String) -> Bool {
    let name = host.lowercased()
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    if name == "::1" || name == "0:0:0:0:0:0:0:1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  private static func authority(
    _ text: Substring, defaultPort: Int
  ) throws(WebSocketError) -> (host: String, port: Int) {
    if text.contains("@") { throw invalid("holds a user: keys belong into headers") }
    let host: Substring
    let rest: Substring
    if text.first == "[" {
      guard let close = text.firstIndex(of: "]") else { throw invalid("has no ] behind its number") }
      host = text[text.index(after: text.startIndex)..<close]
      rest = text[text.index(after: close)...]
    } else {
      let colon = text.firstIndex(of: ":") ?? text.endIndex
      host = text[..<colon]
      rest = text[colon...]
    }
    guard isHost(host, isNumber: text.first == "[") else { throw invalid("has no host") }
    guard !rest.isEmpty else { return (String(host), defaultPort) }
    guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0 else { throw invalid("has no such port") }
    return (String(host), Int(port))
  }

  private static func isHost(_ host: Substring, isNumber: Bool) -> Bool {
    !host.isEmpty && host.utf8.count <= 253
      && host.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
          true
        default: isNumber && (byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%"))
        }
      }
  }

  private static func path(_ text: Substring) throws(WebSocketError) -> String {
    let path = text.prefix { $0 != "#" }
    guard path.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
      throw invalid("has a path with characters that have to be written as %XX")
    }
    return path.first == "/" ? String(path) : "/" + path
  }

  private static func invalid(_ what: String) -> WebSocketError {
    WebSocketError(.invalidAddress, "The address \(what).")
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Where another text first stands in this one.
  func range(of other: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(other) { return start..<index(start, offsetBy: other.count) }
      start = index(after: start)
    }
    return nil
  }
}
