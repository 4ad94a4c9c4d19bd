import Foundation
import Synchronization

/// What somebody types at a terminal.
public protocol TerminalInput: Sendable {
  /// Whether standard input is the terminal.
  var isStandardInput: Bool { get }
  /// Waits for a line, without its line break; `nil` at the end of the input and when the task is cancelled.
  func readLine() async -> String?
  /// The keys as they are pressed, not shown on the terminal, until the task that reads them is cancelled or the input ends.
  func keys() -> AsyncStream<UInt8>
}

/// The terminal that the process was started from.
public struct ControllingTerminal: TerminalInput {
  private let descriptor: Int32

  /// The terminal, if messages are seen on one and somebody sits there: behind standard input, or beside it when that is a
  /// pipe or a file. A process in the background has none.
  public static var attached: ControllingTerminal? {
    guard isatty(2) == 1 else { return nil }
    if isatty(0) == 1 { return TerminalModes.isInForeground(0) ? ControllingTerminal(descriptor: 0) : nil }
    let descriptor = SystemCalls.openFile("/dev/tty", O_RDWR)
    guard descriptor >= 0 else { return nil }
    if TerminalModes.isInForeground(descriptor) { return ControllingTerminal(descriptor: descriptor) }
    close(descriptor)
    return nil
  }

  /// Whether standard input is the terminal.
  public var isStandardInput: Bool { descriptor == 0 }

  /// Waits for a line.
  public func readLine() async -> String? {
    var line: [UInt8] = []
    for await byte in bytes() {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      if line.count < 4_096 { line.append(byte) }
    }
    return nil
  }

  /// The keys as they are pressed.
  public func keys() -> AsyncStream<UInt8> {
    SignalWatch.watchSuspending()
    TerminalModes.enter(descriptor)
    return bytes { TerminalModes.leave() }
  }

  /// A thread waits for the bytes, since none of the task pool's may. It ends with the stream.
  private func bytes(onEnd: @escaping @Sendable () -> Void = {}) -> AsyncStream<UInt8> {
    AsyncStream(bufferingPolicy: .bufferingOldest(4_096)) { continuation in
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return continuation.finish() }
      let (reading, writing) = (ends[0], ends[1])
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      continuation.onTermination = { _ in
        onEnd()
        var byte: UInt8 = 0
        _ = write(writing, &byte, 1)
      }
      Thread.detachNewThread { [descriptor] in
        Self.forward(from: descriptor, to: continuation, wake: reading)
        close(reading)
        close(writing)
      }
    }
  }

  /// Ends when it is woken, and at the end of the input. In the background nothing is read: what is typed is for others, and
  /// a read would stop the process, and with it the recording.
  private static func forward(
    from descriptor: Int32, to continuation: AsyncStream<UInt8>.Continuation, wake: Int32
  ) {
    SystemCalls.block(SIGTTIN)
    while true {
      let isHeard = TerminalModes.isInForeground(descriptor)
      var entries = [wake, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&entries, isHeard ? 2 : 1, isHeard ? -1 : backgroundInterval) >= 0 else {
        if errno == EINTR { continue }
        break
      }
      if entries[0].revents != 0 { return }
      guard isHeard, TerminalModes.isInForeground(descriptor) else {
        if tcgetpgrp(descriptor) < 0 { break }
        continue
      }
      var byte: UInt8 = 0
      let count = read(descriptor, &byte, 1)
      if count == 1 {
        continuation.yield(byte)
      } else if count == 0 || ![EINTR, EAGAIN].contains(errno) && TerminalModes.isInForeground(descriptor) {
        break
      }
    }
    continuation.finish()
    // The stream's termination has written, or writes, the one byte that is waited for here: the pipe may be closed then.
    var byte: UInt8 = 0
    while read(wake, &byte, 1) < 0, errno == EINTR {}
  }

  /// How often a process in the background looks whether it is in the foreground again, in milliseconds.
  private static let backgroundInterval: Int32 = 300
}
