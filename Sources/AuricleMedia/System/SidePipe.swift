import Synchronization

/// A pipe whose first bytes are kept and whose others are thrown away.
final class SidePipe: Sendable {
  private static let limit = 4_096
  private static let lastWordsMilliseconds: Int32 = 1_000

  let descriptor: FileDescriptor
  private let state = Mutex(State())

  private struct State {
    var bytes: [UInt8] = []
    var isAtEnd = false
  }

  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// The first bytes that came, at most 4 KiB.
  var bytes: [UInt8] { state.withLock { $0.bytes } }
  /// The writer has closed it.
  var isAtEnd: Bool { state.withLock { $0.isAtEnd } }

  /// Takes what is there. Waits while nothing is there.
  func drain() throws(SystemError) {
    let piece = try descriptor.read(maxBytes: Self.limit)
    state.withLock {
      $0.isAtEnd = piece.isEmpty
      $0.bytes += piece.prefix(Self.limit - $0.bytes.count)
    }
  }

  /// Takes the last words of a writer that has come to its end, and waits for them a second at most.
  func drainToEnd() throws(SystemError) {
    while !isAtEnd {
      let ready = try FileDescriptor.wait(for: [descriptor], milliseconds: Self.lastWordsMilliseconds)
      guard ready[0] else { return }
      try drain()
    }
  }
}
