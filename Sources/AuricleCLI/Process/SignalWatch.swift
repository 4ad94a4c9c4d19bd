import AuricleSession
import Foundation
import Synchronization

/// The writing end of the pipe through which the signal handler speaks; set before the handler is installed.
private let signalPipe = Atomic<Int32>(-1)

/// Writes the signal's number as one byte, which is all that a signal handler may do here; errno is left as it was.
private func noteSignal(_ number: Int32) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipe.load(ordering: .relaxed), &byte, 1)
  errno = saved
}

/// Turns SIGINT, SIGTERM and SIGHUP into a stop, the latter two into a hurry as well; a second one ends the process at once.
/// SIGPIPE and SIGXFSZ become errors of writing; SIGUSR1 and SIGUSR2 are nobody's business until a recording listens to them. A
/// signal that the process inherited as ignored stays ignored, as for jobs in the background and `nohup`.
enum SignalWatch {
  /// Begins to watch. Call it once, before other threads start.
  static func start(_ stop: StopSignal, hurry: StopSignal, withdrawal: StopSignal) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    signalPipe.store(ends[1], ordering: .relaxed)
    let readingEnd = ends[0]
    Thread.detachNewThread { watch(readingEnd, stop, hurry, withdrawal) }
    for number in ending + requesting { install(number) }
    unblock(ending + requesting)
  }

  /// The requests to pause or to go on that SIGUSR1 makes from now on.
  static func pauseRequests() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(16))
    pauseListener.withLock { $0 = continuation }
    return stream
  }

  /// Whenever the user suspends the process from now on, the terminal's modes are put back meanwhile. When it goes on, they
  /// are changed again if it does so in the foreground.
  static func watchSuspending() {
    for number in suspending { install(number) }
    unblock(suspending)
  }

  /// The same, and says when it goes on.
  static func watchSuspending(onReturn: @escaping @Sendable () -> Void) {
    returnListener.withLock { $0 = onReturn }
    watchSuspending()
  }

  private static let ending = [SIGINT, SIGTERM, SIGHUP]
  private static let requesting = [SIGUSR1, SIGUSR2]
  private static let suspending = [SIGTSTP, SIGCONT]
  private static let pauseListener = Mutex<AsyncStream<Void>.Continuation?>(nil)
  private static let returnListener = Mutex<(@Sendable () -> Void)?>(nil)

  /// Whoever started the process may have done so from a thread on which signals are blocked, which is inherited.
  private static func unblock(_ numbers: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
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

  private static func watch(
    _ readingEnd: Int32, _ stop: StopSignal, _ hurry: StopSignal, _ withdrawal: StopSignal
  ) {
    unblock(ending + suspending + requesting)
    var byte: UInt8 = 0
    while true {
      let count = read(readingEnd, &byte, 1)
      if count == 1 {
        act(on: Int32(byte), stop, hurry, withdrawal)
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }

  private static func act(
    on number: Int32, _ stop: StopSignal, _ hurry: StopSignal, _ withdrawal: StopSignal
  ) {
    switch number {
    case SIGUSR1: pauseListener.withLock { _ = $0?.yield() }
    case SIGUSR2: withdrawal.stop()
    case SIGTSTP: TerminalModes.suspend()
    case SIGCONT:
      TerminalModes.resume()
      returnListener.withLock { $0 }?()
    default:
      if stop.isStopped { ToolProcess.leave(.interrupted) }
      if number != SIGINT { hurry.stop() }
      stop.stop()
    }
  }
}
