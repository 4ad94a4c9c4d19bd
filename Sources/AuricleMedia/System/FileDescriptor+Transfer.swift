#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileDescriptor {
  /// What a path turned out to be.
  enum Nature: Equatable {
    /// An ordinary file of that many bytes.
    case file(byteCount: Int64)
    case folder
    /// A pipe, a socket, a terminal, a device: it can only be read from front to back.
    case stream
  }

  /// Asks what was opened.
  func nature() throws(SystemError) -> Nature {
    var status = stat()
    _ = try check(fstat(number, &status))
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file(byteCount: Int64(status.st_size))
    case S_IFDIR: return .folder
    default: return .stream
    }
  }

  /// Where the next ``read(maxBytes:)`` of a file begins, in bytes from its start.
  func position() throws(SystemError) -> Int64 {
    Int64(try check(lseek(number, 0, SEEK_CUR)))
  }

  /// Reads up to `maxBytes` from a place in the file; empty at the file's end.
  func read(maxBytes: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    try collect(maxBytes) { target throws(SystemError) in try read(into: target, at: offset) }
  }

  /// Reads from a place in the file.
  /// - Returns: How many bytes were read; 0 at the file's end.
  func read(into target: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
    try retrying { pread(number, target.baseAddress, target.count, off_t(offset)) }
  }

  /// Reads what is there, up to `maxBytes`; empty at the stream's end. Waits while nothing is there.
  func read(maxBytes: Int) throws(SystemError) -> [UInt8] {
    try collect(maxBytes) { target throws(SystemError) in
      try retrying { systemRead(number, target.baseAddress, target.count) }
    }
  }

  /// Writes everything.
  func write(_ bytes: [UInt8]) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try retrying {
        bytes.withUnsafeBytes { systemWrite(number, $0.baseAddress! + done, $0.count - done) }
      }
    }
  }

  private func collect(
    _ maxBytes: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  ) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: maxBytes)
    let result = bytes.withUnsafeMutableBytes { target in Result { () throws(SystemError) in try fill(target) } }
    bytes.removeLast(maxBytes - (try result.get()))
    return bytes
  }

  /// Repeats a call that a signal interrupted.
  private func retrying(_ call: () -> Int) throws(SystemError) -> Int {
    var result = call()
    while result < 0 && errno == EINTR { result = call() }
    return try check(result)
  }
}

extension FileDescriptor {
  /// Waits until one of the descriptors has bytes or has come to its end.
  /// - Parameter milliseconds: The longest wait; negative for ever.
  /// - Returns: Which of them are ready, in the order given; all `false` when the time is over.
  static func wait(for descriptors: [FileDescriptor], milliseconds: Int32) throws(SystemError) -> [Bool] {
    var entries = descriptors.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
    var result = poll(&entries, nfds_t(entries.count), milliseconds)
    while result < 0 && errno == EINTR { result = poll(&entries, nfds_t(entries.count), milliseconds) }
    return try check(result) == 0 ? descriptors.map { _ in false } : entries.map { $0.revents != 0 }
  }
}

private func systemRead(_ number: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(number, start, count)
}

private func systemWrite(_ number: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
  write(number, start, count)
}
