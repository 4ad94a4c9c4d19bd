/// An open file or folder; closed exactly once, by the object's end.
///
/// Threading: every call names its place in the file, so readers and one writer may work at once.
final class OpenFile: Sendable {
  private static let readPieceByteCount = 1 << 20

  private let number: Int32
  private let calls: ChangingCalls

  /// Opens a path.
  init(_ path: String, _ opening: FileCalls.Opening, calls: ChangingCalls = .system) throws(SystemError) {
    number = try FileCalls.open(path, opening)
    self.calls = calls
  }

  deinit { FileCalls.closeFile(number) }

  /// How far a write came, and why no further.
  struct Written {
    var byteCount: Int
    var error: SystemError?
  }

  /// Writes everything at a place, in as many pieces as the system takes.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Written {
    withNumber { number in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let answer = calls.write(number, rest, offset + Int64(done))
        if answer > 0 {
          done += answer
        } else if answer != ChangingCalls.interrupted {
          return Written(byteCount: done, error: answer == 0 ? .inputOutput : SystemError(code: Int32(-answer)))
        }
      }
      return Written(byteCount: done)
    }
  }

  /// Writes everything at a place, or fails.
  func writeAll(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    let written = bytes.withUnsafeBytes { write($0, at: offset) }
    if let error = written.error { throw error }
  }

  /// Sets the file's length. What is new reads as zeros and takes no room.
  func resize(to byteCount: Int64) throws(SystemError) {
    try repeating { calls.resize($0, byteCount) }
  }

  /// Gives what was written to the disk.
  func sync() throws(SystemError) {
    try repeating { calls.sync($0) }
  }

  private func repeating(_ call: (Int32) -> Int) throws(SystemError) {
    let answer = withNumber { number in
      var answer = call(number)
      while answer == ChangingCalls.interrupted { answer = call(number) }
      return answer
    }
    if answer < 0 { throw SystemError(code: Int32(-answer)) }
  }

  /// Reads up to so many bytes at a place; fewer only at the file's end.
  func read(_ byteCount: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < byteCount {
      let piece = try readSome(min(byteCount - bytes.count, Self.readPieceByteCount), at: offset + Int64(bytes.count))
      if piece.isEmpty { break }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    return bytes
  }

  private func readSome(_ byteCount: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    var result = Result<Int, SystemError>.success(0)
    let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { target, count in
      result = withNumber { number in
        Result { () throws(SystemError) in
          try FileCalls.read(number, into: UnsafeMutableRawBufferPointer(target), at: offset)
        }
      }
      count = (try? result.get()) ?? 0
    }
    _ = try result.get()
    return bytes
  }

  /// What the file is now.
  func status() throws(SystemError) -> FileCalls.Status {
    try withNumber { number throws(SystemError) in try FileCalls.status(of: number) }
  }

  /// How many bytes are free on its disk.
  func freeByteCount() throws(SystemError) -> Int64 {
    try withNumber { number throws(SystemError) in try FileCalls.freeByteCount(at: number) }
  }

  /// Takes the lock.
  func lock() throws(SystemError) {
    try withNumber { number throws(SystemError) in try FileCalls.lock(number) }
  }

  /// Lets go of the lock.
  func unlock() { withNumber { FileCalls.unlock($0) } }

  /// Gives a part back to the disk, where the system can.
  func punchHole(_ bytes: Range<Int64>) {
    withNumber { FileCalls.punchHole($0, bytes) }
  }

  /// The object, and with it the descriptor, stays until the call is over.
  private func withNumber<R, E: Error>(_ call: (Int32) throws(E) -> R) throws(E) -> R {
    try withExtendedLifetime(self) { () throws(E) in try call(number) }
  }
}
