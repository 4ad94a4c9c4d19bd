import AuricleRecognition
import Foundation
import Testing

@testable import AuricleWebSocket

/// A proxy that understands CONNECT, and sends every connection to one port of this machine.
private final class TestProxy: Sendable {
  let port: Int
  private let listener: RawSocket
  private let heard = Guarded<[String]>([])

  /// The first lines and headers of what was asked.
  var requests: [String] { heard.withLock { $0 } }

  init(to target: Int, answer: String = "HTTP/1.1 200 Connection established\r\n\r\n") {
    let (listener, port) = RawSocket.listen()
    self.listener = listener
    self.port = port
    let heard = heard
    startThread {
      while let peer = listener.accept() {
        startThread {
          let request = peer.receive(until: "\r\n\r\n")
          heard.withLock { $0.append(request) }
          peer.send(answer)
          guard answer.contains(" 200 ") else { return peer.shut() }
          let server = RawSocket.connect(target)
          startThread {
            while case let bytes = server.receive(), !bytes.isEmpty { peer.send(bytes) }
            peer.shut()
          }
          while case let bytes = peer.receive(), !bytes.isEmpty { server.send(bytes) }
          server.shut()
        }
      }
    }
  }

  func stop() { listener.shut() }
}

@Suite("WebSocket proxies", .serialized, .timeLimit(.minutes(5)))
struct ProxyTests {
  private func settings(_ port: Int, _ more: [String: String] = [:]) -> ProxySettings {
    ProxySettings(environment: ["HTTPS_PROXY": "http://user:word@127.0.0.1:\(port)"].merging(more) { $1 })
  }

  @Test("HTTPS_PROXY: another machine is reached through it, by its name, with TLS to the end")
  func proxied() async throws {
    let authority = try TestAuthority.shared()
    let server = try await WebSocketServer.start(.init(identity: try authority.identity()))
    let proxy = TestProxy(to: server.port)
    let client = WebSocketClient(trust: .authorities(path: authority.path), proxies: settings(proxy.port))
    let connection = try await client.connect(to: try WebSocketAddress("wss://speech.example/v1"))
    try await connection.ping()
    await connection.close()
    let asked = try #require(proxy.requests.first)
    #expect(asked.hasPrefix("CONNECT speech.example:443 HTTP/1."))
    #expect(asked.lowercased().contains("proxy-authorization: basic " + "dxnlcjp3b3jk"))
    proxy.stop()
    await server.stop()
  }

  @Test("HTTPS_PROXY: a certificate for another name is refused through it too")
  func otherName() async throws {
    let authority = try TestAuthority.shared()
    let server = try await WebSocketServer.start(.init(identity: try authority.identity()))
    let proxy = TestProxy(to: server.port)
    let client = WebSocketClient(trust: .authorities(path: authority.path), proxies: settings(proxy.port))
    let address = try WebSocketAddress("wss://other.example/v1")
    let error = await failure { () async throws(WebSocketError) in _ = try await client.connect(to: address) }
    #expect(error?.kind == .certificateRejected)
    proxy.stop()
    await server.stop()
  }

  @Test("This machine is never reached through a proxy", arguments: ["localhost", "127.0.0.1"])
  func loopback(host: String) async throws {
    let authority = try TestAuthority.shared()
    let server = try await WebSocketServer.start(.init(identity: try authority.identity()))
    let proxy = TestProxy(to: server.port)
    let client = WebSocketClient(trust: .authorities(path: authority.path), proxies: settings(proxy.port))
    let connection = try await client.connect(to: try WebSocketAddress("wss://\(host):\(server.port)/"))
    await connection.close()
    #expect(proxy.requests.isEmpty)
    proxy.stop()
    await server.stop()
  }

  @Test("A proxy that refuses, or is not there, is named as the reason", arguments: [407, 0])
  func refusing(status: Int) async throws {
    let proxy = TestProxy(to: 1, answer: "HTTP/1.1 \(status) No\r\n\r\n")
    if status == 0 { proxy.stop() }
    let client = WebSocketClient(
      limits: WebSocketLimits(handshakeTime: .seconds(3)), proxies: settings(status == 0 ? 1 : proxy.port))
    let address = try WebSocketAddress("wss://speech.example/v1")
    let error = await failure { () async throws(WebSocketError) in _ = try await client.connect(to: address) }
    #expect(error?.kind == .proxyFailed, "\(error?.message ?? "no error")")
    proxy.stop()
  }

  @Test("http_proxy in the environment of the process is not followed behind our back")
  func environment() async throws {
    setenv("http_proxy", "127.0.0.1:1", 1)
    defer { unsetenv("http_proxy") }
    let server = try await WebSocketServer.start(.init())
    let connection = try await WebSocketClient().connect(to: try WebSocketAddress("ws://127.0.0.1:\(server.port)/"))
    await connection.close()
    await server.stop()
  }

  @Test("NO_PROXY: hosts, ends of names, ports and the star")
  func exceptions() throws {
    let cases: [(String, String, Bool)] = [
      ("", "wss://a.example/", true), ("a.example", "wss://a.example/", false), (".example", "wss://a.example/", false),
      ("example", "wss://a.example/", false), ("*.example", "wss://a.example/", false),
      ("*", "wss://a.example/", false),
      ("b.example", "wss://a.example/", true), ("ample", "wss://a.example/", true),
      ("a.example:443", "wss://a.example/", false), ("a.example:444", "wss://a.example/", true),
      ("x, A.Example", "wss://a.EXAMPLE/", false), ("", "wss://localhost/", false), ("", "wss://127.8.9.1/", false),
      ("", "wss://[::1]/", false), ("", "ws://a.example/", false),
    ]
    for (exceptions, text, isProxied) in cases {
      let proxy = try settings(3_128, ["NO_PROXY": exceptions]).proxy(for: try WebSocketAddress(text))
      #expect((proxy != nil) == isProxied, "\(exceptions) \(text)")
    }
    #expect(try settings(3_128).proxy(for: try WebSocketAddress("wss://a.example/"))?.description == "127.0.0.1:3128")
  }

  @Test("A proxy of another kind is an error, unless it is not needed")
  func otherKind() throws {
    let settings = ProxySettings(environment: ["https_proxy": "socks5://h:1"])
    #expect(throws: WebSocketError.self) { try settings.proxy(for: try WebSocketAddress("wss://a.example/")) }
    #expect(try settings.proxy(for: try WebSocketAddress("wss://localhost/")) == nil)
  }
}
