import Foundation
import Synchronization

/// The modes of a terminal: changed while keys are read, and always put back.
enum TerminalModes {
  private struct State {
    /// The terminal whose keys are read; `nil` when none are.
    var descriptor: Int32?
    /// What to put back.
    var original: termios?
    var isChanged = false
  }

  private static let state = Mutex(State())

  /// From now on keys come one by one and are not shown. Signals are sent by keys all the same.
  static func enter(_ descriptor: Int32) {
    state.withLock { $0.descriptor = $0.descriptor ?? descriptor }
    change()
  }

  /// Puts the modes back.
  static func leave() {
    restore()
    state.withLock { $0 = State() }
  }

  /// Stops the process, as its user wants, with the modes put back meanwhile.
  static func suspend() {
    restore()
    kill(getpid(), SIGSTOP)
  }

  /// The process goes on: in the foreground, with the modes changed again.
  static func resume() {
    // Who stopped it without asking may have put back the modes.
    state.withLock { $0.isChanged = false }
    change()
  }

  /// Whether the process may use a terminal: others are in the foreground of it otherwise.
  static func isInForeground(_ descriptor: Int32) -> Bool { tcgetpgrp(descriptor) == getpgrp() }

  private static func change() {
    state.withLock { state in
      var modes = termios()
      guard let descriptor = state.descriptor, !state.isChanged, isInForeground(descriptor),
        tcgetattr(descriptor, &modes) == 0
      else { return }
      if state.original == nil || modes.c_lflag & tcflag_t(ICANON) != 0 { state.original = modes }
      state.isChanged = true
      modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
      set(&modes, descriptor)
    }
  }

  /// A terminal that others use has the modes that those want.
  private static func restore() {
    state.withLock { state in
      guard let descriptor = state.descriptor, state.isChanged, var modes = state.original else { return }
      state.isChanged = false
      if isInForeground(descriptor) { set(&modes, descriptor) }
    }
  }

  /// A process that was put into the background a moment ago would be stopped for it.
  private static func set(_ modes: inout termios, _ descriptor: Int32) {
    SystemCalls.withBlocked(SIGTTOU) {
      while tcsetattr(descriptor, TCSANOW, &modes) != 0, errno == EINTR {}
    }
  }
}
