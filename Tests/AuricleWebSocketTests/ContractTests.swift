import AuricleWebSocket
import Foundation
import Testing

/// What every connection promises, over all of them.
@Suite("WebSocket contract", .timeLimit(.minutes(5)))
struct ContractTests {
  @Test("W1: messages arrive whole, in order, both ways", arguments: Implementation.allCases)
  func order(_ implementation: Implementation) async throws {
    let messages: [WebSocketMessage] =
      [0, 1, 125, 126, 4_095, 4_096, 4_097, 65_535, 65_536, 300_000].flatMap { count -> [WebSocketMessage] in
        [
          .binary((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
          .text(String(repeating: "ä", count: count / 2)),
        ]
      }
    try await implementation.connect { first, second in
      for (from, to) in [(first, second), (second, first)] {
        async let sent: Void = send(messages, over: from)
        for message in messages {
          let got = await to.receive()
          #expect(got == message, "\(message.byteCount) bytes")
        }
        try await sent
      }
    }
  }

  @Test("W2: a message over the limit ends the connection with 1009", arguments: Implementation.allCases)
  func limit(_ implementation: Implementation) async throws {
    let limits = WebSocketLimits(messageByteCount: 10_000)
    try await implementation.connect(limits: limits) { first, second in
      try await first.send(.binary([UInt8](repeating: 1, count: 10_000)))
      let fits = await second.receive()
      #expect(fits?.byteCount == 10_000)
      try await first.send(.binary([UInt8](repeating: 1, count: 10_001)))
      let none = await second.receive()
      #expect(none == nil)
      let end = await first.receive()
      #expect(end == nil)
      #expect(first.closure?.code == .messageTooBig)
      #expect(second.closure?.code == .messageTooBig)
    }
  }

  @Test("W3: who reads slowly slows the sender down, and nothing is lost", arguments: Implementation.allCases)
  func backpressure(_ implementation: Implementation) async throws {
    let limits = WebSocketLimits(sendByteCount: 20_000, receiveByteCount: 20_000)
    let total = 4_000
    let sentCount = Counter()
    try await implementation.connect(limits: limits) { first, second in
      async let sent: Void = {
        for index in 0..<total {
          try await first.send(.binary([UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 10_000)))
          sentCount.add()
        }
      }()
      try await Task.sleep(for: .milliseconds(700))
      let ahead = sentCount.value
      // What fits into both queues and into the system's, which is below 16 MiB.
      #expect(ahead < 1_700)
      for index in 0..<total {
        let got = await second.receive()
        guard got == .binary([UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 10_000)) else {
          Issue.record("message \(index) is missing")
          break
        }
      }
      try await sent
    }
  }

  @Test("W4: a sign of life is given, also while messages flow", arguments: Implementation.allCases)
  func ping(_ implementation: Implementation) async throws {
    try await implementation.connect { first, second in
      try await first.ping()
      try await second.ping()
      try await first.send(.text("a"))
      try await first.ping()
      let got = await second.receive()
      #expect(got == .text("a"))
    }
  }

  @Test(
    "W5: farewell: what waits arrives, code and reason cross, then nothing is sent", arguments: Implementation.allCases)
  func farewell(_ implementation: Implementation) async throws {
    try await implementation.connect { first, second in
      for index in 0..<50 { try await first.send(.text("\(index)")) }
      async let closed: Void = first.close(WebSocketCloseCode(rawValue: 4_001), reason: "grün")
      for index in 0..<50 {
        let got = await second.receive()
        #expect(got == .text("\(index)"))
      }
      let end = await second.receive()
      #expect(end == nil)
      await closed
      await first.close()
      #expect(second.closure == WebSocketClosure(WebSocketCloseCode(rawValue: 4_001), "grün"))
      #expect(first.closure?.code.rawValue == 4_001)
      for connection in [first, second] {
        let error = await failure { () async throws(WebSocketError) in try await connection.send(.text("late")) }
        #expect(error?.kind == .closed)
      }
    }
  }

  @Test("W6: an end without farewell is told as one", arguments: Implementation.allCases)
  func lost(_ implementation: Implementation) async throws {
    try await implementation.connect { first, second in
      first.cancel()
      first.cancel()
      let end = await second.receive()
      #expect(end == nil)
      #expect(second.closure?.code == .abnormal)
      #expect(second.closure?.error?.kind == .lost)
      #expect(first.closure?.error?.kind == .cancelled)
    }
  }

  @Test("W7: a cancelled call gives up, and the connection goes on", arguments: Implementation.allCases)
  func cancelledCalls(_ implementation: Implementation) async throws {
    try await implementation.connect { first, second in
      let reading = Task { await first.receive() }
      reading.cancel()
      let nothing = await reading.value
      #expect(nothing == nil)
      let sending = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await failure { () async throws(WebSocketError) in try await first.send(.text("never")) }
      }
      let refused = await sending.value
      #expect(refused?.kind == .cancelled)
      try await first.send(.text("x"))
      let got = await second.receive()
      #expect(got == .text("x"))
    }
  }

  @Test("W8: every call that waits ends with the connection", arguments: Implementation.allCases)
  func waitingCalls(_ implementation: Implementation) async throws {
    let limits = WebSocketLimits(sendByteCount: 1_000, receiveByteCount: 1_000)
    try await implementation.connect(limits: limits) { first, second in
      let message = WebSocketMessage.binary([UInt8](repeating: 0, count: 1 << 19))
      let senders = (0..<40).map { _ in
        Task { await failure { () async throws(WebSocketError) in try await first.send(message) } }
      }
      let reader = Task { await first.receive() }
      try await Task.sleep(for: .milliseconds(200))
      first.cancel()
      var kinds: [WebSocketError.Kind] = []
      for sender in senders { if let kind = await sender.value?.kind { kinds.append(kind) } }
      #expect(!kinds.isEmpty && kinds.allSatisfy { $0 == .cancelled })
      let end = await reader.value
      #expect(end == nil)
      _ = second.closure
    }
  }

  private func send(_ messages: [WebSocketMessage], over connection: any WebSocketConnection) async throws {
    for message in messages { try await connection.send(message) }
  }
}
