import AuricleRecognition
import Foundation

/// A child process that tries a model: its standard error is kept, and it is killed when it takes too long.
final class ProbeProcess: Sendable {
  /// What is known of the process. Once its end is known nobody kills it any more.
  private struct State {
    var process: Int32?
    var isCancelled = false
  }

  private let executable: String
  private let arguments: [String]
  private let state = Guarded(State())

  init(executable: String, arguments: [String]) {
    self.executable = executable
    self.arguments = arguments
  }

  /// Starts the process and waits for its end, on a thread of its own. When the task is cancelled the process is killed.
  func run(timeout: Duration) async -> ProbeOutcome {
    await withTaskCancellationHandler {
      await OwnThread.run { self.wait(timeout: timeout) }
    } onCancel: {
      state.withLock {
        $0.isCancelled = true
        Self.kill($0.process)
      }
    }
  }

  private func wait(timeout: Duration) -> ProbeOutcome {
    let deadline = ContinuousClock.now.advanced(by: timeout)
    let process = Process()
    let errors = Pipe()
    let ended = DispatchSemaphore(value: 0)
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    process.terminationHandler = { _ in
      self.state.withLock { $0.process = nil }
      ended.signal()
    }
    if let failure = start(process) { return ProbeOutcome(ending: failure, errors: "") }
    // The parent's end of the pipe for writing, or the reading would never end.
    try? errors.fileHandleForWriting.close()
    let said = ErrorTail.read(errors.fileHandleForReading.fileDescriptor, until: deadline)
    let isLate = ended.wait(timeout: .now() + max(0, (deadline - .now) / .seconds(1))) == .timedOut
    if isLate {
      state.withLock { Self.kill($0.process) }
      ended.wait()
    }
    return ProbeOutcome(ending: ending(process, isLate: isLate, timeout), errors: said)
  }

  private func start(_ process: Process) -> ProbeOutcome.Ending? {
    state.withLock { state -> ProbeOutcome.Ending? in
      guard !state.isCancelled else { return .cancelled }
      do {
        try process.run()
        state.process = process.processIdentifier
        return nil
      } catch {
        return .notStarted(executable)
      }
    }
  }

  private func ending(_ process: Process, isLate: Bool, _ timeout: Duration) -> ProbeOutcome.Ending {
    if state.withLock({ $0.isCancelled }) { return .cancelled }
    if isLate { return .timeout(timeout) }
    return process.terminationReason == .exit ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
  }

  private static func kill(_ process: Int32?) {
    guard let process, process > 0 else { return }
    if getpgid(process) == process { Foundation.kill(-process, SIGKILL) }
    Foundation.kill(process, SIGKILL)
  }
}

/// The end of what a process writes to its standard error.
private enum ErrorTail {
  static let limit = 8_192

  /// Reads until the end or the deadline.
  static func read(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> String {
    var tail: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case let left = deadline - .now, left > .zero {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, Int32(min(left / .milliseconds(1) + 1, 60_000)))
      if ready < 0 && errno != EINTR { break }
      guard ready > 0 else { continue }
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      tail.append(contentsOf: buffer[..<count])
      tail.removeFirst(max(0, tail.count - limit))
    }
    return String(decoding: tail, as: UTF8.self)
  }
}
