#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import Synchronization

/// What the system said when a call failed.
struct SystemError: Error, Equatable {
  let code: Int32

  static var last: SystemError { SystemError(code: errno) }

  /// The system's words for the code.
  var words: String {
    var buffer = [CChar](repeating: 0, count: 256)
    _ = strerror_r(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// An open file, pipe or device; closed exactly once, by the owner's end, unless it is borrowed.
final class FileDescriptor: Sendable {
  let number: Int32
  private let isBorrowed: Bool

  /// Takes over an open descriptor.
  init(owning number: Int32) {
    self.number = number
    isBorrowed = false
  }

  /// Uses a descriptor that somebody else closes, after this object's end.
  init(borrowing number: Int32) {
    self.number = number
    isBorrowed = true
  }

  deinit {
    if !isBorrowed { close(number) }
  }

  /// Opens for reading. Does not wait for the writer of a named pipe, and never becomes the controlling terminal.
  static func open(readingAt path: String) throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try check(openFile(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)))
  }

  /// No child process starts between the making of a pipe and the mark that keeps it from child processes.
  static let inheritance = Mutex(())

  /// Both ends of a new pipe; neither is passed on to child processes.
  static func pipe() throws(SystemError) -> (reading: FileDescriptor, writing: FileDescriptor) {
    var ends: [Int32] = [-1, -1]
    let result = inheritance.withLock { _ in
      let result = makePipe(&ends)
      for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return result
    }
    _ = try check(result)
    return (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
  }

  /// A second descriptor of the same open file, numbered `lowest` or above, not passed on to child processes.
  func duplicate(atLeast lowest: Int32) throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try check(fcntl(number, F_DUPFD_CLOEXEC, lowest)))
  }
}

/// Turns the C convention into Swift's.
func check<Result: SignedInteger>(_ result: Result) throws(SystemError) -> Result {
  guard result >= 0 else { throw SystemError.last }
  return result
}

private func makePipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }

private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

extension SystemError {
  /// Nothing is there yet, although it seemed so.
  var isTryAgain: Bool { code == EAGAIN || code == EWOULDBLOCK }
  /// The path leads to nothing.
  var isNotFound: Bool { [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(code) }
  /// The user may not do that.
  var isNotPermitted: Bool { [EACCES, EPERM].contains(code) }
  /// There is no such program, or nothing that the user may run.
  var isNoProgram: Bool { [ENOENT, EACCES].contains(code) }
  /// There is no room for more.
  var isNoRoom: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }
}
