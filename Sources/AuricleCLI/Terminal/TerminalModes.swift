import Foundation
import Synchronization

/// The modes of a terminal: changed while keys are read, and always put back.
enum TerminalModes {
  private struct State {
    var descriptor: Int32 = 0
    var original: termios?
    var isChanged = false
  }

  private static let state = Mutex(State())

  /// Keys come one by one and are not shown. Signals are sent by keys all the same.
  static func enter(_ descriptor: Int32) {
    state.withLock { state in
      var modes = termios()
      guard !state.isChanged, tcgetattr(descriptor, &modes) == 0 else { return }
      state = State(descriptor: descriptor, original: modes, isChanged: true)
      modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
      set(&modes, descriptor)
    }
  }

  /// Puts the modes back.
  static func leave() {
    state.withLock { state in
      guard state.isChanged, var modes = state.original else { return }
      state.isChanged = false
      set(&modes, state.descriptor)
    }
  }

  /// Stops the process, as its user wants, with the modes put back meanwhile.
  static func suspend() {
    let (wasChanged, descriptor) = state.withLock { ($0.isChanged, $0.descriptor) }
    leave()
    kill(getpid(), SIGSTOP)
    if wasChanged, tcgetpgrp(descriptor) == getpgrp() { enter(descriptor) }
  }

  /// A process in the background that changes its terminal would be stopped for it.
  private static func set(_ modes: inout termios, _ descriptor: Int32) {
    SystemCalls.withBlocked(SIGTTOU) {
      while tcsetattr(descriptor, TCSANOW, &modes) != 0, errno == EINTR {}
    }
  }
}
