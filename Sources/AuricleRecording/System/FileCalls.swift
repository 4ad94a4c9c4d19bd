import CFileHoles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the system said when a call failed.
struct SystemError: Error, Equatable {
  let code: Int32

  /// The system's words for the code.
  var words: String {
    var buffer = [CChar](repeating: 0, count: 256)
    _ = strerror_r(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// There is no room for more.
  var isNoRoom: Bool { [ENOSPC, EDQUOT].contains(code) }
  /// The file would be longer than it may be.
  var isTooLarge: Bool { code == EFBIG }
  /// The user may not do that there.
  var isNotPermitted: Bool { [EACCES, EPERM, EROFS].contains(code) }
  /// Something is there already.
  var isExisting: Bool { [EEXIST, ENOTEMPTY].contains(code) }
  /// The path leads to nothing.
  var isNotFound: Bool { [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, ESTALE].contains(code) }
  /// Somebody else holds the lock.
  var isLocked: Bool { code == EWOULDBLOCK || code == EAGAIN }

  /// The device failed.
  static let inputOutput = SystemError(code: EIO)
}

/// The calls that change a file that is open: the place where tests put in short writes, full disks and sudden ends.
///
/// Each answers with a count or 0, or with the error number, negative.
struct ChangingCalls: Sendable {
  /// Writes some of the bytes at a place in the file.
  var write: @Sendable (_ file: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: Int64) -> Int
  /// Sets the file's length.
  var resize: @Sendable (_ file: Int32, _ byteCount: Int64) -> Int
  /// Gives what was written to the disk.
  var sync: @Sendable (_ file: Int32) -> Int

  /// The answer of a call that a signal interrupted.
  static let interrupted = -Int(EINTR)

  /// The system's own.
  static let system = ChangingCalls(
    write: { answer(pwrite($0, $1.baseAddress, $1.count, off_t($2))) },
    resize: { answer(Int(ftruncate($0, off_t($1)))) },
    sync: { file in
      let result = answer(Int(fsync(file)))
      // Some file systems have nothing to give to a disk, and say so.
      return [-Int(EINVAL), -Int(ENOTSUP)].contains(result) ? 0 : result
    })

  private static func answer(_ result: Int) -> Int { result < 0 ? -Int(errno) : result }
}

/// The other calls; each in one place, repeated when a signal interrupted it.
enum FileCalls {
  /// What a path or an open file is.
  struct Status: Equatable {
    var isFolder: Bool
    var isFile: Bool
    var byteCount: Int64
    /// How many names lead to it; 0 once it was deleted.
    var nameCount: Int
    var device: UInt64
    var number: UInt64
  }

  /// How a file is opened.
  enum Opening {
    /// For reading.
    case reading
    /// For reading and writing.
    case changing
    /// For reading and writing, new, for its owner alone.
    case creating
  }

  static func open(_ path: String, _ opening: Opening) throws(SystemError) -> Int32 {
    let flags =
      switch opening {
      case .reading: O_RDONLY | O_NONBLOCK
      case .changing: O_RDWR | O_NONBLOCK | O_NOFOLLOW
      case .creating: O_RDWR | O_CREAT | O_EXCL
      }
    return try retrying { openFile(path, flags | O_CLOEXEC | O_NOCTTY) }
  }

  static func closeFile(_ file: Int32) { close(file) }

  static func read(_ file: Int32, into target: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError)
    -> Int
  { try retrying { pread(file, target.baseAddress, target.count, off_t(offset)) } }

  static func status(of file: Int32) throws(SystemError) -> Status {
    var status = stat()
    _ = try retrying { fstat(file, &status) }
    return Status(status)
  }

  /// What is at a path; links are not followed.
  static func status(at path: String) throws(SystemError) -> Status {
    var status = stat()
    _ = try retrying { lstat(path, &status) }
    return Status(status)
  }

  /// How many bytes there are for users other than root.
  static func freeByteCount(at file: Int32) throws(SystemError) -> Int64 {
    var status = statvfs()
    _ = try retrying { fstatvfs(file, &status) }
    let (bytes, isBeyond) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isBeyond ? .max : Int64(clamping: bytes)
  }

  /// Makes a folder for its owner alone.
  static func makeFolder(_ path: String) throws(SystemError) { _ = try retrying { mkdir(path, 0o700) } }

  static func move(_ path: String, to target: String) throws(SystemError) {
    _ = try retrying { rename(path, target) }
  }

  /// Gives a file a second name, which must not be taken.
  static func link(_ path: String, to name: String) throws(SystemError) {
    _ = try retrying { makeLink(path, name) }
  }

  static func remove(_ path: String) throws(SystemError) { _ = try retrying { unlink(path) } }

  /// Takes a lock that ends with the open file, or with the process.
  static func lock(_ file: Int32) throws(SystemError) { _ = try retrying { flock(file, LOCK_EX | LOCK_NB) } }

  /// Lets go of the lock.
  static func unlock(_ file: Int32) { _ = flock(file, LOCK_UN) }

  /// Gives a part of a file back to the disk. Systems that cannot do it keep the part, which does no harm.
  static func punchHole(_ file: Int32, _ bytes: Range<Int64>) {
    _ = auricle_punch_hole(file, off_t(bytes.lowerBound), off_t(bytes.count))
  }

  private static func retrying<Answer: SignedInteger>(_ call: () -> Answer) throws(SystemError) -> Answer {
    while true {
      let answer = call()
      if answer >= 0 { return answer }
      let code = errno
      if code != EINTR { throw SystemError(code: code) }
    }
  }
}

private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }

private func makeLink(_ path: String, _ name: String) -> Int32 { link(path, name) }

extension FileCalls.Status {
  fileprivate init(_ status: stat) {
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isFile = status.st_mode & S_IFMT == S_IFREG
    byteCount = Int64(status.st_size)
    nameCount = Int(status.st_nlink)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(status.st_ino)
  }
}
