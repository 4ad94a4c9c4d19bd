import Foundation
import Synchronization

@testable import AuricleCLI

/// The built program, found beside the test bundle.
let program = Bundle.main.executableURL.flatMap { url -> String? in
  // The bundle lies in the folder of products, or some folders below it (macOS).
  var folder = url.deletingLastPathComponent()
  for argument in CommandLine.arguments where argument.contains(".xctest") {
    folder = URL(fileURLWithPath: argument).deletingLastPathComponent()
  }
  for _ in 0..<4 {
    let path = folder.appendingPathComponent("auricle").path
    if case .file = SystemCalls.kind(path), SystemCalls.isAllowed(path, X_OK) { return path }
    folder.deleteLastPathComponent()
  }
  return nil
}

let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().path
let sample = checkout + "/.deps/test-data/beckett.wav"

/// The built program while it runs: fed through a pipe, listened to, and sent signals.
final class RunningProgram: Sendable {
  private struct State {
    var output = ""
    var talk = ""
    var fedByteCount = 0
    /// How many of its outputs are read and have not come to their end.
    var openCount = 0
  }

  let pid: Int32
  private let process: Mutex<Process>
  private let input: FileHandle
  /// Open for as long as the program is known.
  private let unread: [Pipe]
  private let state = Mutex(State())

  /// Which of its outputs is a full pipe that nobody reads.
  enum Stalled {
    case output, talk
  }

  /// Starts it.
  /// - Parameter program: Another program that starts it, such as one that makes a terminal.
  init(
    _ words: [String], through program: String? = nil, environment: [String: String] = [:], stalled: Set<Stalled> = []
  ) throws {
    // A program that is gone must not take the tests with it.
    signal(SIGPIPE, SIG_IGN)
    let process = Process()
    let (input, output, talk) = (Pipe(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: try program ?? Self.path())
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = talk
    if stalled.contains(.output) { Self.fill(output) }
    if stalled.contains(.talk) { Self.fill(talk) }
    try process.run()
    pid = process.processIdentifier
    self.input = input.fileHandleForWriting
    unread = [output, talk]
    self.process = Mutex(process)
    if !stalled.contains(.output) { collect(output.fileHandleForReading) { state, text in state.output += text } }
    if !stalled.contains(.talk) { collect(talk.fileHandleForReading) { state, text in state.talk += text } }
  }

  private static func fill(_ pipe: Pipe) {
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 4_096)
    while write(descriptor, bytes, bytes.count) > 0 {}
    while write(descriptor, bytes, 1) > 0 {}
    _ = fcntl(descriptor, F_SETFL, flags)
  }

  private static func path() throws -> String {
    guard let program else { throw CocoaError(.fileNoSuchFile) }
    return program
  }

  /// What it wrote to standard output so far.
  var output: String { state.withLock(\.output) }
  /// What it wrote to standard error so far.
  var talk: String { state.withLock(\.talk) }

  /// How many bytes it was fed so far.
  var fedByteCount: Int { state.withLock(\.fedByteCount) }

  /// Feeds it, as fast as somebody speaks unless it may be faster, on a thread of its own.
  /// - Parameter staysOpen: Whether the pipe stays open behind the last byte.
  func feed(_ bytes: Data, bytesPerSecond: Double?, staysOpen: Bool = false) {
    Thread.detachNewThread { [input] in
      let start = Date()
      for first in stride(from: 0, to: bytes.count, by: 3_200) {
        let piece = bytes[(bytes.startIndex + first)..<min(bytes.startIndex + first + 3_200, bytes.endIndex)]
        do { try input.write(contentsOf: piece) } catch { return }
        self.state.withLock { $0.fedByteCount += piece.count }
        if let bytesPerSecond {
          Thread.sleep(until: start.addingTimeInterval(Double(first + piece.count) / bytesPerSecond))
        }
      }
      if !staysOpen { try? input.close() }
    }
  }

  /// Types something, or feeds it at once.
  func type(_ text: String) { try? input.write(contentsOf: Data(text.utf8)) }

  /// Sends a signal.
  func send(_ signal: Int32) { kill(pid, signal) }

  /// Waits until something is so.
  /// - Returns: `false` when it is not so in time.
  func wait(seconds: Double = 30, until isSo: @Sendable (RunningProgram) -> Bool) async -> Bool {
    let limit = Date(timeIntervalSinceNow: seconds)
    while !isSo(self) {
      if Date() > limit { return false }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return true
  }

  /// Waits for its end, and for all that it said.
  /// - Returns: Its exit code, or the negative number of the signal that killed it; `nil` when it does not come to its end.
  func end() async -> Int32? {
    guard await wait(seconds: 60, until: { program in !program.process.withLock { $0.isRunning } }) else {
      kill(pid, SIGKILL)
      return nil
    }
    // What it said last may still be on its way; a child of its own may hold the pipe.
    _ = await wait(seconds: 5) { program in program.state.withLock { $0.openCount } == 0 }
    return process.withLock { process in
      process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
  }

  private func collect(_ handle: FileHandle, _ add: @escaping @Sendable (inout State, String) -> Void) {
    state.withLock { $0.openCount += 1 }
    Thread.detachNewThread {
      while case let bytes = handle.availableData, !bytes.isEmpty {
        self.state.withLock { add(&$0, String(decoding: bytes, as: UTF8.self)) }
      }
      self.state.withLock { $0.openCount -= 1 }
    }
  }
}
