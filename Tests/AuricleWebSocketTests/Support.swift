import AuricleRecognition
import AuricleWebSocket
import Foundation

/// The error of a call, if it throws one.
func failure(_ body: () async throws(WebSocketError) -> Void) async -> WebSocketError? {
  do throws(WebSocketError) {
    try await body()
    return nil
  } catch {
    return error
  }
}

/// Counts from many tasks.
final class Counter: Sendable {
  private let count = Guarded(0)
  func add() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}

/// A generator of chance that a seed repeats.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_f491_4f6c_dd1d
  }
}
