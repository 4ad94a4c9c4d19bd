import AuricleRecognition
import CWebSockets
import Foundation
import Testing

@testable import AuricleWebSocket

/// Bytes that no decent peer sends. `AURICLE_WEBSOCKET_FUZZ` says how many of them; a failure names its seed.
@Suite("WebSocket fuzzing", .serialized, .timeLimit(.minutes(10)))
struct FuzzTests {
  private static let count = ProcessInfo.processInfo.environment["AURICLE_WEBSOCKET_FUZZ"].flatMap(Int.init) ?? 150

  private let limits = WebSocketLimits(
    messageByteCount: 4_000, sendByteCount: 4_000, receiveByteCount: 4_000, handshakeTime: .seconds(1),
    closeTime: .milliseconds(200))

  /// Random frames: any opcode, flags, length and mask, cut anywhere; or a greeting with a few bytes changed or missing.
  private func nonsense(_ chance: inout Seeded, isMasked: Bool) -> [UInt8] {
    (0..<Int.random(in: 1...12, using: &chance)).flatMap { _ -> [UInt8] in
      let count = [0, 1, 5, 125, 126, 300, 5_000].randomElement(using: &chance) ?? 0
      let first =
        Bool.random(using: &chance)
        ? UInt8.random(in: 0...255, using: &chance)
        : [0x81, 0x82, 0x80, 0x01, 0x88, 0x89, 0x8a].randomElement(using: &chance) ?? 0
      let mask: UInt8 = isMasked != (Int.random(in: 0..<10, using: &chance) == 0) ? 0x80 : 0
      var frame = [first]
      switch Int.random(in: 0..<12, using: &chance) {
      case 0: frame += [mask | 127] + (0..<8).map { _ in UInt8.random(in: 0...255, using: &chance) }
      case 1: frame += [mask | 126, 0, 3]
      default: frame += count < 126 ? [mask | UInt8(count)] : [mask | 126, UInt8(count >> 8), UInt8(count & 255)]
      }
      if mask != 0 { frame += [1, 2, 3, 4] }
      frame += (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
      return Int.random(in: 0..<6, using: &chance) == 0
        ? Array(frame.prefix(Int.random(in: 0...frame.count, using: &chance))) : frame
    }
  }

  private func broken(_ text: String, _ chance: inout Seeded) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...6, using: &chance) {
      bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
    }
    return Bool.random(using: &chance) ? bytes : Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &chance)))
  }

  @Test("A server outlives every peer, keeps to its limits and serves the next one")
  func server() async throws {
    let server = try await WebSocketServer.start(.init(connectionCount: 256, limits: limits))
    let limit = limits.messageByteCount
    let tooLong = Counter()
    let reading = Task {
      for await arrival in server.arrivals {
        Task {  // Ends with its connection.
          while let message = await arrival.connection.receive() { if message.byteCount > limit { tooLong.add() } }
        }
      }
    }
    for seed in 0..<Self.count {
      var chance = Seeded(UInt64(seed) + 1)
      let isGreeted = seed % 4 != 0
      let start = isGreeted ? Array(greeting().utf8) : broken(greeting(), &chance)
      let bytes = start + (isGreeted ? nonsense(&chance, isMasked: true) : [])
      await onThread {
        let raw = RawSocket.connect(server.port)
        raw.send(bytes)
        shutdown(raw.descriptor, Int32(SHUT_WR))
        if seed % 3 == 0 { _ = raw.receive() }
      }
    }
    let connection = try await WebSocketClient(limits: limits, proxies: .none).connect(
      to: try WebSocketAddress("ws://127.0.0.1:\(server.port)/"))
    try await connection.ping()
    #expect(tooLong.value == 0)
    await server.stop()
    await reading.value
  }

  @Test("A client outlives every server, and ends in time")
  func client() async throws {
    let (listener, port) = RawSocket.listen(backlog: 64)
    let count = Self.count
    startThread {
      for seed in 0..<count {
        guard let peer = listener.accept() else { return }
        var chance = Seeded(UInt64(seed) + 77)
        let asked = peer.receive(until: "\r\n\r\n")
        let answer =
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: \(acceptance(of: asked))\r\n\r\n"
        peer.send(seed % 4 == 0 ? broken(answer, &chance) : Array(answer.utf8) + nonsense(&chance, isMasked: false))
        peer.shut()
      }
    }
    let client = WebSocketClient(limits: limits, proxies: .none)
    let address = try WebSocketAddress("ws://127.0.0.1:\(port)/")
    var connected = 0
    for _ in 0..<count {
      do throws(WebSocketError) {
        let connection = try await client.connect(to: address, headers: [])
        connected += 1
        while let message = await connection.receive() {
          #expect(message.byteCount <= limits.messageByteCount)
        }
        #expect(connection.closure != nil)
      } catch {
        #expect([.refused, .handshakeFailed, .timedOut].contains(error.kind), "\(error)")
      }
    }
    #expect(connected > count / 2)
    listener.shut()
  }
}

/// What a server answers to a client's key.
private func acceptance(of request: String) -> String {
  let line = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") } ?? ""
  let key = line.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
  let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
  var sum = [UInt8](repeating: 0, count: 20)
  lws_SHA1(text, text.count, &sum)
  return Data(sum).base64EncodedString()
}
