import AuricleSession
import Foundation
import Synchronization

/// The writing end of the pipe through which the signal handler speaks; set before the handler is installed.
private let signalPipe = Atomic<Int32>(-1)

/// Writes one byte, which is all that a signal handler may do here; errno is left as it was.
private func noteSignal(_ number: Int32) {
  let saved = errno
  var byte: UInt8 = 1
  _ = write(signalPipe.load(ordering: .relaxed), &byte, 1)
  errno = saved
}

/// Turns SIGINT, SIGTERM and SIGHUP into a stop; a second one ends the process at once. SIGPIPE and SIGXFSZ become
/// errors of writing. A signal that the process inherited as ignored stays ignored, as for jobs in the background and `nohup`.
enum SignalWatch {
  /// Begins to watch. Call it once, before other threads start.
  static func start(_ stop: StopSignal) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    signalPipe.store(ends[1], ordering: .relaxed)
    let readingEnd = ends[0]
    Thread.detachNewThread { watch(readingEnd, stop) }
    for number in signals { install(number) }
    unblock()
  }

  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Whoever started the process may have done so from a thread on which signals are blocked, which is inherited.
  private static func unblock() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private static func install(_ number: Int32) {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0, !isIgnored(action) else { return }
    signal(number, noteSignal)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func watch(_ readingEnd: Int32, _ stop: StopSignal) {
    var byte: UInt8 = 0
    while true {
      let count = read(readingEnd, &byte, 1)
      if count == 1 {
        if stop.isStopped { ToolProcess.leave(.interrupted) }
        stop.stop()
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }
}
