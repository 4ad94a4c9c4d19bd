import Foundation
import Testing

@testable import AuricleWebSocket

@Suite("WebSocket leaks", .timeLimit(.minutes(5)))
struct LeakTests {
  @Test("§9.7: failing, giving up, letting go and stopping leave no thread and no descriptor behind")
  func nothingIsLeft() async throws {
    // In a process of its own: other tests open and close things as well.
    await #expect(processExitsWith: .success) {
      // Once for what the system and the libraries keep for good.
      try await Self.cycle()
      let before = await Holdings.settle(loops: 0)
      for _ in 0..<3 { try await Self.cycle() }
      let after = await Holdings.settle(to: before)
      guard after.isWithin(before), before.loops == 0 else { fatalError("\(before) became \(after)") }
    }
  }

  /// Every way in which a connection or a server begins and ends.
  static func cycle() async throws {
    try await Failures.run()
    let server = try await WebSocketServer.start(.init(limits: WebSocketLimits(closeTime: .milliseconds(200))))
    guard Holdings.now().loops > 0 else { fatalError("the server's thread is not seen") }
    _ = await failure { () async throws(WebSocketError) in
      _ = try await WebSocketServer.start(.init(port: server.port))
    }
    let address = try WebSocketAddress("ws://127.0.0.1:\(server.port)/")
    let client = WebSocketClient(proxies: .none)
    for index in 0..<20 {
      let connection = try await client.connect(to: address)
      try await connection.send(.text("a"))
      // One in four is forgotten.
      switch index % 4 {
      case 0: await connection.close()
      case 1: connection.cancel()
      case 2: try await connection.ping()
      default: break
      }
    }
    try await giveUp()
    let mute = RawSocket.connect(server.port)
    mute.send(greeting())
    _ = await onThread { mute.receive(until: "\r\n\r\n") }
    let halfOpen = RawSocket.connect(server.port)
    halfOpen.send("GET / HT")
    await server.stop()
    withExtendedLifetime((mute, halfOpen)) {}
  }

  private static func giveUp() async throws {
    let (silent, port) = RawSocket.listen()
    let address = try WebSocketAddress("ws://127.0.0.1:\(port)/")
    let connecting = Task {
      await failure { () async throws(WebSocketError) in
        _ = try await WebSocketClient(proxies: .none).connect(to: address)
      }
    }
    try await Task.sleep(for: .milliseconds(50))
    connecting.cancel()
    _ = await connecting.value
    withExtendedLifetime(silent) {}
  }
}

/// How many descriptors and threads of event loops the process has.
struct Holdings: Equatable, CustomStringConvertible {
  let descriptors: Int
  let loops: Int

  static func now() -> Holdings {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    let sockets = files.filter { name in
      let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) ?? ""
      return target.hasPrefix("socket:") || target.contains("eventfd") || target.hasPrefix("pipe:")
    }
    let loops = threads.filter { id in
      (try? String(contentsOfFile: "/proc/self/task/\(id)/comm", encoding: .utf8))?.hasPrefix("auricle-ws") == true
    }
    return Holdings(descriptors: sockets.count, loops: loops.count)
  }

  /// Waits until as many loops are left, and no longer than ten seconds.
  static func settle(loops: Int) async -> Holdings {
    for _ in 0..<100 {
      if now().loops == loops { break }
      try? await Task.sleep(for: .milliseconds(100))
    }
    return now()
  }

  /// Whether it is no more than something else. What a test's own thread still held at that time may be gone.
  func isWithin(_ other: Holdings) -> Bool { descriptors <= other.descriptors && loops <= other.loops }

  /// Waits until no more is held than before, or gives up after ten seconds.
  static func settle(to before: Holdings) async -> Holdings {
    for _ in 0..<100 {
      if now().isWithin(before) { break }
      try? await Task.sleep(for: .milliseconds(100))
    }
    return now()
  }

  var description: String { "\(descriptors) descriptors, \(loops) loops" }
}
