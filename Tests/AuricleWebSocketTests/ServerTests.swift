import AuricleRecognition
import Foundation
import Testing

@testable import AuricleWebSocket

/// Whom a server lets in, and what strangers cost it.
@Suite("WebSocket server", .serialized, .timeLimit(.minutes(5)))
struct ServerTests {
  private let client = WebSocketClient(proxies: .none)

  private func address(_ server: WebSocketServer) throws -> WebSocketAddress {
    try WebSocketAddress("ws://127.0.0.1:\(server.port)/")
  }

  @Test("§8.1: a refusal is an HTTP answer with a JSON body, given before the upgrade; key, Origin and Host are seen")
  func refusal() async throws {
    let seen = Guarded<[String?]>([])
    let server = try await WebSocketServer.start(.init()) { request in
      seen.withLock { $0 = [request["Authorization"], request["Origin"], request["Host"]] }
      return .refuse(status: 401, body: "{\"code\":\"InvalidApiKey\"}")
    }
    let raw = RawSocket.connect(server.port)
    raw.send(greeting("/x", "Authorization: bearer k\r\nOrigin: http://evil.example\r\n"))
    let answer = await onThread { raw.receive(until: "}") }
    #expect(answer.hasPrefix("HTTP/1.1 401 "))
    #expect(answer.lowercased().contains("content-type: application/json"))
    #expect(answer.hasSuffix("\r\n\r\n{\"code\":\"InvalidApiKey\"}"))
    #expect(seen.withLock { $0 } == ["bearer k", "http://evil.example", "localhost"])
    await server.stop()
  }

  @Test("A request that asks for no WebSocket is told so")
  func plainRequest() async throws {
    let server = try await WebSocketServer.start(.init())
    let raw = RawSocket.connect(server.port)
    raw.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let answer = await onThread { raw.receive(until: "\r\n\r\n") }
    #expect(answer.hasPrefix("HTTP/1.1 426 "))
    await server.stop()
  }

  @Test("Who comes when the server is full is refused with 503, and let in when there is room")
  func full() async throws {
    let server = try await WebSocketServer.start(.init(connectionCount: 2))
    let guests = Task {
      var kept: [WebSocketArrival] = []
      for await arrival in server.arrivals { kept.append(arrival) }
    }
    let first = try await client.connect(to: try address(server))
    let second = try await client.connect(to: try address(server))
    let place = try address(server)
    let error = await failure { () async throws(WebSocketError) in _ = try await client.connect(to: place) }
    #expect(error?.status == 503)
    await first.close()
    let third = try await client.connect(to: place)
    try await third.ping()
    try await second.ping()
    await server.stop()
    await guests.value
  }

  @Test("A taken port and an unusable certificate are told")
  func cannotListen() async throws {
    let server = try await WebSocketServer.start(.init())
    let identity = WebSocketServerConfiguration.Identity(certificatePath: "/nowhere.pem", keyPath: "/nowhere.key")
    let bad: [WebSocketServerConfiguration] = [
      .init(port: server.port), .init(identity: identity), .init(host: "192.0.2.1"),
    ]
    for configuration in bad {
      let error = await failure { () async throws(WebSocketError) in
        _ = try await WebSocketServer.start(configuration)
      }
      #expect(error?.kind == .cannotListen)
    }
    await server.stop()
  }

  @Test("It listens at IPv6 too")
  func sixth() async throws {
    let server = try await WebSocketServer.start(.init(host: "::1"))
    let connection = try await client.connect(to: try WebSocketAddress("ws://[::1]:\(server.port)/"))
    try await connection.ping()
    await server.stop()
    let end = await connection.receive()
    #expect(end == nil)
    #expect(connection.closure?.code == .goingAway)
  }

  @Test("Stopping tells everybody, and takes its time at most")
  func stop() async throws {
    let limits = WebSocketLimits(closeTime: .milliseconds(500))
    let server = try await WebSocketServer.start(.init(limits: limits))
    let polite = try await client.connect(to: try address(server))
    let mute = RawSocket.connect(server.port)
    mute.send(greeting())
    _ = await onThread { mute.receive(until: "\r\n\r\n") }
    let halfOpen = RawSocket.connect(server.port)
    halfOpen.send("GET / HT")
    let start = ContinuousClock.now
    await server.stop()
    await server.stop()
    #expect(ContinuousClock.now - start < .seconds(3))
    let end = await polite.receive()
    #expect(end == nil)
    #expect(polite.closure?.code == .goingAway)
    mute.shut()
    halfOpen.shut()
    withExtendedLifetime((mute, halfOpen)) {}
  }

  @Test("Slow, silent, flooding and half-open strangers cost the others nothing, and are let go of in time")
  func strangers() async throws {
    let limits = WebSocketLimits(
      messageByteCount: 100_000, sendByteCount: 10_000, receiveByteCount: 10_000, handshakeTime: .seconds(1),
      pingInterval: .milliseconds(300), pongTime: .milliseconds(300))
    let server = try await WebSocketServer.start(.init(connectionCount: 64, limits: limits))
    let echo = Task {
      for await arrival in server.arrivals where arrival.request.path == "/echo" {
        Task {  // Ends with its connection.
          while let message = await arrival.connection.receive() { try? await arrival.connection.send(message) }
        }
      }
    }
    var strangers: [RawSocket] = []
    for index in 0..<20 {
      let raw = RawSocket.connect(server.port)
      strangers.append(raw)
      switch index % 4 {
      case 0: break
      case 1: raw.send("GET / HTTP/1.1\r\nHost:")
      case 2: raw.send(greeting("/deaf"))
      default:
        startThread {
          raw.send(greeting("/echo"))
          // Masked empty messages, without an end and without a look at what comes back.
          let flood = [[UInt8]](repeating: [0x82, 0x80, 1, 2, 3, 4], count: 10_000).flatMap { $0 }
          for _ in 0..<200 where !raw.send(flood) { break }
        }
      }
    }
    let good = try await client.connect(to: try WebSocketAddress("ws://127.0.0.1:\(server.port)/echo"))
    var slowest = Duration.zero
    for index in 0..<100 {
      let start = ContinuousClock.now
      try await good.send(.text("\(index)"))
      let got = await good.receive()
      #expect(got == .text("\(index)"))
      slowest = max(slowest, ContinuousClock.now - start)
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(slowest < .seconds(1))
    let (silent, half) = (strangers[0], strangers[1])
    let ended = await onThread { silent.receive().isEmpty || half.receive(until: "never").isEmpty }
    #expect(ended)
    strangers.forEach { $0.shut() }
    await server.stop()
    echo.cancel()
  }

  @Test("A peer that wakes the loop ten thousand times keeps its order")
  func manyMessages() async throws {
    let server = try await WebSocketServer.start(.init())
    let connection = try await client.connect(to: try address(server))
    var arrivals = server.arrivals.makeAsyncIterator()
    let other = try #require(await arrivals.next()?.connection)
    async let sent: Void = {
      for index in 0..<10_000 { try await connection.send(.text("\(index)")) }
    }()
    for index in 0..<10_000 {
      let got = await other.receive()
      guard got == .text("\(index)") else {
        Issue.record("message \(index) is missing: \(String(describing: got))")
        break
      }
    }
    try await sent
    await server.stop()
  }
}
