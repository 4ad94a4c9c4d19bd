import Foundation
import Synchronization

/// What somebody types at a terminal.
public protocol TerminalInput: Sendable {
  /// Waits for a line, without its line break; `nil` at the end of the input and when the task is cancelled.
  func readLine() async -> String?
  /// The keys as they are pressed, not shown on the terminal, until the task that reads them is cancelled or the input ends.
  func keys() -> AsyncStream<UInt8>
}

/// The terminal behind standard input.
public struct StandardTerminal: TerminalInput {
  /// The terminal, if standard input and standard error are one.
  public static var attached: StandardTerminal? { isatty(0) == 1 && isatty(2) == 1 ? StandardTerminal() : nil }

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
    TerminalModes.enter()
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
      Thread.detachNewThread {
        Self.forward(to: continuation, wake: reading)
        close(reading)
        close(writing)
      }
    }
  }

  private static func forward(to continuation: AsyncStream<UInt8>.Continuation, wake: Int32) {
    while true {
      var entries = [
        pollfd(fd: 0, events: Int16(POLLIN), revents: 0), pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&entries, 2, -1) >= 0 else {
        if errno == EINTR { continue }
        break
      }
      if entries[1].revents != 0 { return }
      var byte: UInt8 = 0
      let count = read(0, &byte, 1)
      if count == 1 {
        continuation.yield(byte)
      } else if count == 0 || errno != EINTR && errno != EAGAIN {
        break
      }
    }
    continuation.finish()
    // The stream's termination has written, or writes, the one byte that is waited for here: the pipe may be closed then.
    var byte: UInt8 = 0
    while read(wake, &byte, 1) < 0, errno == EINTR {}
  }
}

/// The modes of the terminal behind standard input: changed while keys are read, and always put back.
enum TerminalModes {
  private struct State {
    var original: termios?
    var isChanged = false
  }

  private static let state = Mutex(State())

  /// Keys come one by one and are not shown. Signals are sent by keys all the same.
  static func enter() {
    state.withLock { state in
      var modes = termios()
      guard !state.isChanged, tcgetattr(0, &modes) == 0 else { return }
      state.original = modes
      state.isChanged = true
      change(&modes)
    }
  }

  /// Puts the modes back.
  static func leave() {
    state.withLock { state in
      guard state.isChanged, var modes = state.original else { return }
      state.isChanged = false
      set(&modes)
    }
  }

  /// Stops the process as the terminal's user wants, with the modes put back meanwhile.
  static func suspend() {
    let wasChanged = state.withLock(\.isChanged)
    leave()
    kill(getpid(), SIGSTOP)
    if wasChanged { enter() }
  }

  private static func change(_ modes: inout termios) {
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    set(&modes)
  }

  /// A process in the background may not change its terminal: it would be stopped for trying.
  private static func set(_ modes: inout termios) {
    var blocked = sigset_t()
    var before = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    while tcsetattr(0, TCSANOW, &modes) != 0, errno == EINTR {}
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
