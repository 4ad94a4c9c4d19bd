import AuricleRecognition
import Foundation
import Testing

@testable import AuricleWebSocket

/// How a client connects, and why it does not.
@Suite("WebSocket client", .serialized, .timeLimit(.minutes(5)))
struct ClientTests {
  private let quick = WebSocketLimits(handshakeTime: .milliseconds(800), closeTime: .milliseconds(500))

  @Test("TLS: a server of a trusted authority is taken, by name and by number")
  func trusted() async throws {
    let authority = try TestAuthority.shared()
    let server = try await WebSocketServer.start(.init(identity: try authority.identity()))
    let client = WebSocketClient(trust: .authorities(path: authority.path), proxies: .none)
    for host in ["localhost", "127.0.0.1"] {
      let connection = try await client.connect(to: try WebSocketAddress("wss://\(host):\(server.port)/"))
      try await connection.ping()
      await connection.close()
      #expect(connection.closure?.code == .normal)
    }
    await server.stop()
  }

  @Test("TLS: a stranger's authority, another name and another number are refused, with the reason")
  func untrusted() async throws {
    let authority = try TestAuthority.shared()
    let stranger = try TestAuthority()
    let cases: [(WebSocketTrust, names: String, host: String, said: String)] = [
      (.authorities(path: stranger.path), "DNS:localhost", "localhost", "issuer"),
      (.system, "DNS:localhost", "localhost", "issuer"),
      (.authorities(path: authority.path), "DNS:elsewhere.example", "localhost", "hostname mismatch"),
      (.authorities(path: authority.path), "DNS:localhost,IP:127.0.0.2", "127.0.0.1", "IP address mismatch"),
    ]
    for (trust, names, host, said) in cases {
      let server = try await WebSocketServer.start(.init(identity: try authority.identity(for: names)))
      let client = WebSocketClient(trust: trust, proxies: .none)
      let error = try await connectFailure("wss://\(host):\(server.port)/", client: client)
      #expect(error?.kind == .certificateRejected)
      #expect(error?.message.lowercased().contains(said.lowercased()) == true, "\(error?.message ?? "no error")")
      await server.stop()
    }
  }

  @Test(
    "§4.1: a refusal comes with its status; a redirection is one, and is not followed",
    arguments: [302, 401, 403, 404, 429, 503])
  func refused(status: Int) async throws {
    let server = try await WebSocketServer.start(.init()) { _ in
      .refuse(status: status, body: "{\"code\":\"InvalidApiKey\"}")
    }
    let client = WebSocketClient(proxies: .none)
    let error = try await connectFailure("ws://127.0.0.1:\(server.port)/x", client: client)
    #expect(error?.kind == .refused)
    #expect(error?.status == status)
    await server.stop()
  }

  @Test("A redirection to another server is not followed")
  func redirection() async throws {
    let asked = Counter()
    let other = try await WebSocketServer.start(.init()) { _ in
      asked.add()
      return .accept
    }
    let (listener, port) = RawSocket.listen()
    startThread {
      guard let peer = listener.accept() else { return }
      _ = peer.receive(until: "\r\n\r\n")
      peer.send("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(other.port)/\r\nContent-Length: 0\r\n\r\n")
      peer.drain()
    }
    let secret = try WebSocketHeader("Authorization", "Bearer secret")
    let error = try await connectFailure(
      "ws://127.0.0.1:\(port)/", client: WebSocketClient(limits: quick, proxies: .none), headers: [secret])
    #expect(error?.kind == .refused)
    #expect(asked.value == 0)
    await other.stop()
  }

  @Test("§4.1: path, query and headers arrive as they were given; Origin is not sent")
  func request() async throws {
    let seen = Guarded<WebSocketRequest?>(nil)
    let server = try await WebSocketServer.start(.init(headerNames: ["X-DashScope-WorkSpace"])) { request in
      seen.withLock { $0 = request }
      return .accept
    }
    let headers = [
      try WebSocketHeader("Authorization", "Bearer k"), try WebSocketHeader("user-agent", "auricle"),
      try WebSocketHeader("X-DashScope-WorkSpace", "w1"),
    ]
    let connection = try await WebSocketClient(proxies: .none).connect(
      to: try WebSocketAddress("ws://localhost:\(server.port)/api-ws/v1/inference/?a=b"), headers: headers)
    await connection.close()
    let request = try #require(seen.withLock { $0 })
    #expect(request.path == "/api-ws/v1/inference/")
    #expect(request.query == "a=b")
    #expect(request["authorization"] == "Bearer k")
    #expect(request["User-Agent"] == "auricle")
    #expect(request["x-dashscope-workspace"] == "w1")
    #expect(request["Host"] == "localhost:\(server.port)")
    #expect(request["Origin"] == nil)
    #expect(request.peer == "127.0.0.1")
    await server.stop()
  }

  @Test("§9.6: a number that does not answer costs a quarter of a second, not five")
  func race() async throws {
    let server = try await WebSocketServer.start(.init())
    // Its queue is full: who asks gets no answer at all.
    let (deaf, deafPort) = RawSocket.listen(backlog: 0)
    let filler = RawSocket.connect(deafPort)
    var client = WebSocketClient(proxies: .none)
    client.resolve = { (_, _) throws(WebSocketError) in
      try SocketAddress.resolve("127.0.0.1", port: deafPort) + SocketAddress.resolve("127.0.0.1", port: server.port)
    }
    let start = ContinuousClock.now
    let winner = try AddressRace.winner(of: try client.resolve("", 0)) { true }
    #expect(winner == (try SocketAddress.resolve("127.0.0.1", port: server.port))[0])
    #expect(ContinuousClock.now - start < .seconds(2))
    withExtendedLifetime((deaf, filler)) {}
    await server.stop()
  }

  @Test("§9.6: families take turns, the preferred one first")
  func families() throws {
    let four = try SocketAddress.resolve("127.0.0.1", port: 1) + SocketAddress.resolve("127.0.0.2", port: 1)
    let six = try SocketAddress.resolve("::1", port: 1)
    #expect(AddressRace.interleaved(six + four) == [six[0], four[0], four[1]])
    #expect(AddressRace.interleaved(four + six) == [four[0], six[0], four[1]])
  }

  @Test("§9.6: where one family refuses, the other one is taken at once")
  func refusingFamily() async throws {
    let server = try await WebSocketServer.start(.init())
    var client = WebSocketClient(proxies: .none)
    client.resolve = { (_, port) throws(WebSocketError) in
      try SocketAddress.resolve("::1", port: port) + SocketAddress.resolve("127.0.0.1", port: port)
    }
    let start = ContinuousClock.now
    let connection = try await client.connect(to: try WebSocketAddress("ws://localhost:\(server.port)/"))
    #expect(ContinuousClock.now - start < .seconds(1))
    await connection.close()
    await server.stop()
  }

  @Test("§9.7: each failure has its true reason, within its time")
  func failures() async throws { try await Failures.run() }

  @Test("A cancelled connect ends at once")
  func cancelled() async throws {
    let (silent, port) = RawSocket.listen()
    let address = try WebSocketAddress("ws://127.0.0.1:\(port)/")
    let connecting = Task {
      await failure { () async throws(WebSocketError) in
        _ = try await WebSocketClient(proxies: .none).connect(to: address)
      }
    }
    try await Task.sleep(for: .milliseconds(100))
    connecting.cancel()
    let error = await connecting.value
    #expect(error?.kind == .cancelled)
    withExtendedLifetime(silent) {}
  }

  @Test("A connection that nobody has any more ends, on both sides")
  func forgotten() async throws {
    let server = try await WebSocketServer.start(.init())
    var connection: (any WebSocketConnection)? = try await WebSocketClient(proxies: .none).connect(
      to: try WebSocketAddress("ws://127.0.0.1:\(server.port)/"))
    var arrivals = server.arrivals.makeAsyncIterator()
    let other = await arrivals.next()?.connection
    _ = connection
    connection = nil
    let end = await other?.receive()
    #expect(end == nil)
    await server.stop()
  }

  @Test("A server that falls silent is found by its missing sign of life")
  func silence() async throws {
    let (listener, port) = RawSocket.listen()
    startThread {
      guard let peer = listener.accept() else { return }
      _ = peer.receive(until: "\r\n\r\n")
      peer.send(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: nonsense\r\n\r\n")
      peer.drain()
    }
    let error = try await connectFailure(
      "ws://127.0.0.1:\(port)/", client: WebSocketClient(limits: quick, proxies: .none))
    #expect(error?.kind == .handshakeFailed)
    let limits = WebSocketLimits(pingInterval: .milliseconds(200), pongTime: .milliseconds(200))
    let server = try await WebSocketServer.start(.init(limits: limits))
    let mute = RawSocket.connect(server.port)
    mute.send(greeting())
    let answer = await onThread { mute.receive(until: "\r\n\r\n") }
    #expect(answer.hasPrefix("HTTP/1.1 101"))
    var arrivals = server.arrivals.makeAsyncIterator()
    let connection = await arrivals.next()?.connection
    let end = await connection?.receive()
    #expect(end == nil)
    #expect(connection?.closure?.error?.kind == .pingTimeout)
    await server.stop()
  }

  @Test("Signs of life go on by themselves and disturb nobody")
  func keepAlive() async throws {
    let limits = WebSocketLimits(pingInterval: .milliseconds(50), pongTime: .milliseconds(500))
    try await Implementation.plain.connect(limits: limits) { first, second in
      try await Task.sleep(for: .seconds(1))
      try await first.send(.text("still here"))
      let got = await second.receive()
      #expect(got == .text("still here"))
    }
  }
}
