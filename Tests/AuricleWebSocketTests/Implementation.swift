import AuricleWebSocket
import Foundation
import Testing

/// What has to hold the contract of connections.
enum Implementation: String, CaseIterable, CustomTestStringConvertible {
  /// Two ends in memory.
  case pair
  /// Client and server of libwebsockets; the client's end is the first one.
  case plain
  /// The same, the server's end is the first one.
  case plainTurned
  /// The same with TLS.
  case secure
  /// The same, turned.
  case secureTurned

  var testDescription: String { rawValue }

  /// Connects two ends, lends them, and lets go of everything.
  func connect(
    limits: WebSocketLimits = WebSocketLimits(),
    _ body: (any WebSocketConnection, any WebSocketConnection) async throws -> Void
  ) async throws {
    if self == .pair {
      let pair = WebSocketPair(limits: limits)
      return try await body(pair.first, pair.second)
    }
    let isSecure = self == .secure || self == .secureTurned
    let authority = isSecure ? try TestAuthority.shared() : nil
    let server = try await WebSocketServer.start(
      WebSocketServerConfiguration(identity: isSecure ? try TestAuthority.sharedIdentity() : nil, limits: limits))
    let client = WebSocketClient(
      limits: limits, trust: authority.map { .authorities(path: $0.path) } ?? .system, proxies: .none)
    let address = try WebSocketAddress("\(isSecure ? "wss" : "ws")://localhost:\(server.port)/a")
    let there = try await client.connect(to: address)
    var arrivals = server.arrivals.makeAsyncIterator()
    guard let here = await arrivals.next()?.connection else { throw WebSocketError(.lost, "nobody came") }
    do {
      if self == .plain || self == .secure { try await body(there, here) } else { try await body(here, there) }
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }
}
