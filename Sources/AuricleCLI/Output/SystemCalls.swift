import Foundation

/// The system calls that the tool makes; each in one place, with EINTR handled and the error number returned.
enum SystemCalls {
  /// The error number of a pipe without a reader.
  static let readerGone = EPIPE

  /// Writes everything, whatever it takes.
  /// - Returns: 0, or the error number.
  static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let count = write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
        if count >= 0 {
          offset += count
        } else if errno == EAGAIN || errno == EWOULDBLOCK {
          waitUntilWritable(descriptor)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }

  /// Somebody may have made the descriptor non-blocking for us.
  private static func waitUntilWritable(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, -1)
  }

  /// Opens a file.
  /// - Returns: The descriptor, or the negative error number.
  static func openFile(_ path: String, _ flags: Int32) -> Int32 {
    while true {
      let descriptor = open(path, flags | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return descriptor }
      if errno != EINTR { return -errno }
    }
  }

  /// Gives what was written to the disk. Things that are no files refuse, which is no failure.
  static func sync(_ descriptor: Int32) -> Int32 {
    while fsync(descriptor) != 0 {
      if errno == EINVAL || errno == EROFS || errno == ENOTSUP { return 0 }
      if errno != EINTR { return errno }
    }
    return 0
  }

  /// What is at a path, links followed; `nil` when nothing is.
  static func kind(_ path: String) -> PathKind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file(mode: status.st_mode & 0o7777)
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Keeps a signal from this thread.
  static func block(_ number: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Keeps a signal from this thread for as long as the body runs.
  static func withBlocked(_ number: Int32, _ body: () -> Void) {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    block(number)
    body()
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Reads what waits in a pipe, whole units of so many bytes, and forgets it. What is no pipe is left alone.
  static func forgetWaiting(_ descriptor: Int32, unit: Int) {
    var status = stat()
    var waiting: Int32 = 0
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO,
      ioctl(descriptor, UInt(FIONREAD), &waiting) == 0
    else { return }
    var left = Int(waiting) / unit * unit
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while left > 0 {
      let count = read(descriptor, &buffer, min(left, buffer.count))
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        return
      }
      left -= count
    }
  }

  /// Removes a folder that holds nothing; one that holds something stays.
  static func removeEmptyFolder(_ path: String) { rmdir(path) }

  /// What makes a file the same under all its names; `nil` when nothing is there.
  static func identity(_ path: String) -> FileIdentity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return FileIdentity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
  }

  /// Whether the process may do something with a path: `R_OK`, `W_OK`.
  static func isAllowed(_ path: String, _ mode: Int32) -> Bool { access(path, mode) == 0 }

  /// The sentence for an error number.
  static func message(_ number: Int32) -> String {
    switch number {
    case ENOSPC: "the disk is full"
    case EBADF: "it is closed"
    default: String(cString: strerror(number))
    }
  }

  /// The columns of the terminal behind a descriptor; `nil` when there is none, 80 when it does not say.
  static func terminalWidth(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Takes the numbers 0, 1 and 2 where they are closed, so that no file of ours gets one of them. Reading from and
  /// writing to such a place-holder fails.
  static func reserveStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      let placeholder = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
      if placeholder >= 0, placeholder != descriptor {
        dup2(placeholder, descriptor)
        close(placeholder)
      }
    }
  }
}

/// What makes a file the same under all its names.
struct FileIdentity: Hashable {
  let device: UInt64
  let number: UInt64
}

/// What is at a path.
enum PathKind: Equatable {
  case file(mode: mode_t)
  case folder
  /// A device, a pipe, a socket.
  case other
}
