import Testing

@testable import AuricleWebSocket

@Suite("WebSocket values")
struct ValueTests {
  @Test("§9.8: addresses are read whole; https gets a clear error")
  func addresses() throws {
    let address = try WebSocketAddress("WSS://{WorkspaceId}.example/api".replacingBraces)
    #expect(address.isSecure && address.port == 443 && address.path == "/api")
    let cases: [(String, host: String, port: Int, path: String, written: String)] = [
      ("ws://h", "h", 80, "/", "ws://h/"), ("ws://h:81/a/?b=c#d", "h", 81, "/a/?b=c", "ws://h:81/a/"),
      ("wss://[::1]:9/x", "::1", 9, "/x", "wss://[::1]:9/x"), ("wss://h?q", "h", 443, "/?q", "wss://h/"),
    ]
    for (text, host, port, path, written) in cases {
      let address = try WebSocketAddress(text)
      #expect(address.host == host && address.port == port && address.path == path && address.description == written)
    }
    let bad = [
      "", "h", "https://h/", "http://h/", "ws://", "ws://:80", "ws://h:0", "ws://h:65536", "ws://h:x", "ws://u:p@h/",
      "ws://[::1", "ws://h/a b", "ws://h/\r\nX: y", "ws://h\r\n/", "ws://ü/", "ws://::1/", "ftp://h",
    ]
    for text in bad {
      #expect(throws: WebSocketError.self, "\(text)") { try WebSocketAddress(text) }
    }
    let error = #expect(throws: WebSocketError.self) { try WebSocketAddress("https://h/") }
    #expect(error?.message.contains("wss://") == true)
  }

  @Test("This machine is known by every name that it has")
  func loopback() {
    for host in ["localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.255.1.2", "::1", "0:0:0:0:0:0:0:1"] {
      #expect(WebSocketAddress.isLoopback(host), "\(host)")
    }
    for host in ["localhost.example", "127.0.0.1.example", "127.1", "128.0.0.1", "::2", "", "127.0.0.256"] {
      #expect(!WebSocketAddress.isLoopback(host), "\(host)")
    }
  }

  @Test("A header's value cannot begin another header, and stands in no description")
  func headers() throws {
    for (name, value) in [("", "v"), ("a b", "v"), ("a:", "v"), ("a", "v\r\nb: c"), ("a", "v\nb"), ("a", "\0")] {
      #expect(throws: WebSocketError.self) { try WebSocketHeader(name, value) }
    }
    #expect("\(try WebSocketHeader("Authorization", "Bearer s3cret"))" == "Authorization")
  }

  @Test("A queue counts what it holds, also of empty messages")
  func queue() {
    var queue = LinkQueue()
    for index in 0..<1_000 { queue.append(.text(index.isMultiple(of: 2) ? "" : "\(index)")) }
    #expect(queue.cost >= 64_000)
    for index in 0..<1_000 {
      #expect(queue.take() == .text(index.isMultiple(of: 2) ? "" : "\(index)"))
    }
    #expect(queue.isEmpty && queue.cost == 0 && queue.take() == nil)
  }
}

extension String {
  /// A workspace's host is written with braces in the documents.
  fileprivate var replacingBraces: String { filter { !"{}".contains($0) } }
}
