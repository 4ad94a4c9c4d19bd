/// An append-only file of lines: the marker of a recording under way, and its log.
///
/// A line is in the file when ``append(_:)`` returns, and survives the end of the process; it survives a loss of power
/// once ``sync()`` has returned. The file is locked as long as the object lives, or until ``leave()``, so that nobody mends a
/// recording that still runs.
///
/// Threading: any thread may call; calls wait for each other and for the disk.
public final class Journal: Sendable {
  private struct State: Sendable {
    /// Where the next line begins.
    var byteCount: Int64
  }

  /// Where the file is.
  public let path: String
  private let file: OpenFile
  private let state: Locked<State>

  /// Makes a new journal, for its owner alone. Its name is on the disk when this returns.
  /// - Throws: ``RecordingError`` of kind `exists`, `notPermitted`, `storageFull`, `notFound` or `writeFailed`.
  public convenience init(creating path: String) throws(RecordingError) {
    try self.init(creating: path, calls: .system)
  }

  init(creating path: String, calls: ChangingCalls) throws(RecordingError) {
    do throws(SystemError) {
      file = try Self.create(path, calls)
    } catch {
      throw RecordingError(error, "write", path)
    }
    self.path = path
    state = Locked(State(byteCount: 0))
    syncFolder(Self.folder(of: path))
  }

  /// Opens the journal of a recording that did not come to its end, to go on behind its last whole line.
  /// - Throws: ``RecordingError`` of kind `inUse` while another process holds it, `notFound`, `notPermitted` or
  ///   `writeFailed`.
  public init(reopening path: String) throws(RecordingError) {
    do throws(SystemError) {
      file = try OpenFile(path, .changing)
      try file.lock()
      let whole = try Self.wholeByteCount(file)
      try file.resize(to: whole)
      state = Locked(State(byteCount: whole))
    } catch {
      if error.isLocked { throw .journalInUse(path, error) }
      throw RecordingError(error, "open", path)
    }
    self.path = path
  }

  /// The lock is there before the name is: nobody finds a journal that is not locked while its recording runs.
  private static func create(_ path: String, _ calls: ChangingCalls) throws(SystemError) -> OpenFile {
    let unlocked = path + ".new"
    let file = try OpenFile(unlocked, .creating, calls: calls)
    do throws(SystemError) {
      try file.lock()
      try name(unlocked, path)
    } catch {
      try? FileCalls.remove(unlocked)
      throw error
    }
    return file
  }

  /// Gives the file its name, unless that is taken. Disks without second names cannot do it in one step.
  private static func name(_ unlocked: String, _ path: String) throws(SystemError) {
    do throws(SystemError) {
      try FileCalls.link(unlocked, to: path)
      try FileCalls.remove(unlocked)
    } catch {
      guard !error.isExisting, (try? FileCalls.status(at: path)) == nil else { throw error }
      try FileCalls.move(unlocked, to: path)
    }
  }

  /// Adds a line. A line that cannot be written whole leaves no trace.
  /// - Parameter line: Without a line break.
  /// - Throws: ``RecordingError`` of kind `storageFull` or `writeFailed`.
  public func append(_ line: String) throws(RecordingError) {
    precondition(!line.utf8.contains(10), "a line of a journal holds no line break")
    let bytes = Array(line.utf8) + [10]
    try state.withLock { state throws(RecordingError) in
      do throws(SystemError) {
        try file.writeAll(bytes, at: state.byteCount)
        state.byteCount += Int64(bytes.count)
      } catch {
        try? file.resize(to: state.byteCount)
        throw RecordingError(error, "write", path)
      }
    }
  }

  /// Gives all lines to the disk.
  /// - Throws: ``RecordingError`` of kind `storageFull` or `writeFailed`.
  public func sync() throws(RecordingError) {
    do throws(SystemError) {
      try file.sync()
    } catch {
      throw RecordingError(error, "give to the disk", path)
    }
  }

  /// Removes the file: the recording has come to its end, and its report is on the disk. One that is gone is no failure.
  /// - Throws: ``RecordingError`` of kind `notPermitted` or `writeFailed`.
  public func remove() throws(RecordingError) {
    do throws(SystemError) {
      try FileCalls.remove(path)
    } catch {
      if !error.isNotFound { throw RecordingError(error, "remove", path) }
    }
    syncFolder(Self.folder(of: path))
  }

  /// Lets go of the file, which stays: whoever recovers the recording may have it. Nothing may be added any more.
  public func leave() { file.unlock() }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension RecordingError {
  fileprivate static func journalInUse(_ path: String, _ error: SystemError) -> RecordingError {
    RecordingError(.inUse, "\(shownName(path)) belongs to a recording that still runs", platformCode: Int(error.code))
  }
}
