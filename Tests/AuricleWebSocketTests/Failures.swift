import Foundation
import Testing

@testable import AuricleWebSocket

/// Connects, and returns why not.
func connectFailure(
  _ text: String, client: WebSocketClient, headers: [WebSocketHeader] = []
) async throws -> WebSocketError? {
  let address = try WebSocketAddress(text)
  return await failure { () async throws(WebSocketError) in
    _ = try await client.connect(to: address, headers: headers)
  }
}

/// Every way in which connecting fails, with its reason.
enum Failures {
  static func run() async throws {
    let identity = try TestAuthority.sharedIdentity()
    let (silent, silentPort) = RawSocket.listen()
    let (rude, rudePort) = RawSocket.listen()
    startThread { while let peer = rude.accept() { peer.shut() } }
    let plain = try await WebSocketServer.start(.init())
    let secure = try await WebSocketServer.start(.init(identity: identity))
    let limits = WebSocketLimits(handshakeTime: .milliseconds(800), closeTime: .milliseconds(500))
    let client = WebSocketClient(limits: limits, proxies: .none)
    let cases: [(String, WebSocketError.Kind)] = [
      ("ws://127.0.0.1:1/", .unreachable), ("ws://nobody.invalid/", .unresolved),
      ("ws://127.0.0.1:\(silentPort)/", .timedOut), ("wss://127.0.0.1:\(silentPort)/", .timedOut),
      ("ws://127.0.0.1:\(rudePort)/", .handshakeFailed), ("wss://127.0.0.1:\(rudePort)/", .handshakeFailed),
      ("wss://127.0.0.1:\(plain.port)/", .handshakeFailed), ("ws://127.0.0.1:\(secure.port)/", .handshakeFailed),
      ("wss://localhost:\(secure.port)/", .certificateRejected),
    ]
    for (address, kind) in cases {
      let start = ContinuousClock.now
      let error = try await connectFailure(address, client: client)
      #expect(error?.kind == kind, "\(address): \(error?.message ?? "no error")")
      #expect(ContinuousClock.now - start < .seconds(4), "\(address)")
    }
    rude.shut()
    withExtendedLifetime(silent) {}
    await plain.stop()
    await secure.stop()
  }
}
