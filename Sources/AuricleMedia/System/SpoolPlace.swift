import AuricleAudio

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a stream that has to come in whole before it can be decoded may wait, and how much of it.
///
/// The file has no name, so nobody else opens it and nothing is left behind, whatever happens to the process.
public struct SpoolPlace: Sendable {
  /// So much of a stream's beginning may be kept in memory, in bytes.
  static let longestMemory = 1 << 20
  private static let pieceByteCount = 65_536

  /// The folder.
  public let folder: String
  /// The most that may wait, in bytes.
  public let limit: Int64

  /// Creates a place.
  /// - Parameters:
  ///   - folder: A folder that may be written to.
  ///   - limit: The most that may wait, in bytes.
  public init(folder: String, limit: Int64) {
    self.folder = folder
    self.limit = limit
  }

  /// The user's folder for temporary files (`TMPDIR`, else `/tmp`), and 8 GiB at most.
  public static var standard: SpoolPlace {
    SpoolPlace(folder: environmentVariable("TMPDIR") ?? "/tmp", limit: 8 << 30)
  }

  /// Lets a stream come in, up to its end.
  /// - Throws: `AudioError` of kind `readFailed` when there is no room, or too much of it.
  nonisolated(nonsending) func collect(_ bytes: any ByteSource, name: String) async throws -> AudioFile {
    do {
      let descriptor = try keeping { () throws(SystemError) in try FileDescriptor.temporary(in: folder) }
      var count: Int64 = 0
      while true {
        let piece = try await bytes.read(maxBytes: Self.pieceByteCount)
        if piece.isEmpty { return AudioFile(descriptor: descriptor, byteCount: count, name: name) }
        count += Int64(piece.count)
        guard count <= limit else { throw tooMuch(name) }
        try keeping { () throws(SystemError) in try descriptor.write(piece) }
      }
    } catch let error as SystemError {
      throw AudioError.readFailed(name, error)
    }
  }

  private func keeping<Result>(_ body: () throws(SystemError) -> Result) throws(AudioError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw AudioError(
        .readFailed,
        "cannot keep the stream in \(displayName(folder)): \(error.words); set TMPDIR to a folder with room",
        platformCode: Int(error.code))
    }
  }

  private func tooMuch(_ name: String) -> AudioError {
    AudioError(.readFailed, "\(name): it is longer than \(limit) bytes; put it into a file and name that")
  }
}

extension FileDescriptor {
  /// A new file without a name.
  static func temporary(in folder: String) throws(SystemError) -> FileDescriptor {
    var path = Array((folder + "/auricle-XXXXXX").utf8CString)
    let descriptor = FileDescriptor(owning: try check(mkstemp(&path)))
    unlink(path)
    _ = fcntl(descriptor.number, F_SETFD, FD_CLOEXEC)
    return descriptor
  }
}
