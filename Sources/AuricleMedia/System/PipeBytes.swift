import Dispatch
import Synchronization

/// The bytes of a pipe, a terminal or a device, as they arrive.
///
/// A waiting read holds a thread of its own, none of the task pool's. The task's cancellation ends the wait at once,
/// and no byte is lost by it.
final class PipeBytes: ByteSource {
  private let waiter: PipeWaiter

  /// - Parameters:
  ///   - descriptor: Where the bytes come from.
  ///   - side: A second pipe that is emptied meanwhile, so that its writer is never held up by it.
  ///   - stallSeconds: The longest silence that is not taken for a failure; `nil` for ever.
  init(_ descriptor: FileDescriptor, side: SidePipe? = nil, stallSeconds: Int32? = nil) throws(SystemError) {
    waiter = try PipeWaiter(descriptor, side: side, stallSeconds: stallSeconds)
  }

  func read(maxBytes: Int) async throws -> [UInt8] {
    try await waiter.read(maxBytes: maxBytes)
  }
}

/// Nothing came for so long that the writer must be taken for stuck.
struct PipeStalled: Error {}

/// Waits for bytes off the task pool. Reads follow one another; each has a number, and a cancellation names it.
private final class PipeWaiter: Sendable {
  private let descriptor: FileDescriptor
  private let side: SidePipe?
  private let stallMilliseconds: Int32
  private let wake: (reading: FileDescriptor, writing: FileDescriptor)
  private let queue = DispatchQueue(label: "auricle.pipe")
  private let numbers = Mutex(Numbers())

  private struct Numbers {
    var latest = 0
    var cancelled = 0
  }

  init(_ descriptor: FileDescriptor, side: SidePipe?, stallSeconds: Int32?) throws(SystemError) {
    self.descriptor = descriptor
    self.side = side
    stallMilliseconds = stallSeconds.map { $0 * 1_000 } ?? -1
    wake = try FileDescriptor.pipe()
  }

  func read(maxBytes: Int) async throws -> [UInt8] {
    let number = numbers.withLock {
      $0.latest += 1
      return $0.latest
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result { try self.waitAndRead(maxBytes, number) }) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    numbers.withLock { $0.cancelled = max($0.cancelled, number) }
    try? wake.writing.write([0])
  }

  private func waitAndRead(_ maxBytes: Int, _ number: Int) throws -> [UInt8] {
    while true {
      let ready = try waitForAny()
      if ready.wake { try answerWake(number) }
      if ready.side { try side?.drain() }
      if ready.main, let bytes = try readIfThere(maxBytes) { return bytes }
    }
  }

  private func waitForAny() throws -> (wake: Bool, main: Bool, side: Bool) {
    var watched = [wake.reading, descriptor]
    if let side, !side.isAtEnd { watched.append(side.descriptor) }
    let ready = try FileDescriptor.wait(for: watched, milliseconds: stallMilliseconds)
    guard ready.contains(true) else { throw PipeStalled() }
    return (ready[0], ready[1], ready.count > 2 && ready[2])
  }

  /// Ends the read that was cancelled. A wake-up for an earlier read, which ended by itself, is stale.
  private func answerWake(_ number: Int) throws {
    _ = try wake.reading.read(maxBytes: 64)
    if numbers.withLock({ $0.cancelled >= number }) { throw CancellationError() }
  }

  /// A descriptor that somebody set to not wait may have nothing after all.
  private func readIfThere(_ maxBytes: Int) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      return try descriptor.read(maxBytes: maxBytes)
    } catch {
      guard error.isTryAgain else { throw error }
      return nil
    }
  }
}
