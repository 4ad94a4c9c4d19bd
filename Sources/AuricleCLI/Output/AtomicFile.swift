import Foundation
import Synchronization

/// A file that comes into being whole or not at all: written beside its place, then moved there.
///
/// What is no regular file, such as a device or a pipe, is written to as it is.
final class AtomicFile: Sendable {
  private enum Phase {
    /// Takes bytes.
    case open(descriptor: Int32, temporary: String?)
    /// Committed or discarded; takes nothing any more.
    case closed
  }

  private let path: String
  private let shownPath: String
  private let phase: Mutex<Phase>

  /// Opens a place beside the file, so that a folder that cannot be written to shows before the work.
  /// - Throws: ``OutputError``
  init(path shownPath: String) throws(OutputError) {
    self.shownPath = shownPath
    // A link stays, and what it points to is replaced.
    path = URL(fileURLWithPath: shownPath).resolvingSymlinksInPath().path
    let kind = SystemCalls.kind(path)
    switch kind {
    case .folder: throw OutputError("\(shownPath) is a folder; name a file in it")
    case .file where !SystemCalls.isAllowed(path, W_OK):
      throw OutputError("\(shownPath) is write-protected; name another file")
    case .file, .other, nil: break
    }
    let isDirect = kind == .other
    let opened = isDirect ? Self.openDirectly(path) : Self.openTemporary(beside: path)
    guard opened.descriptor >= 0 else {
      let reason = SystemCalls.message(-opened.descriptor)
      throw OutputError("cannot write \(shownPath): \(reason); name a folder that exists and is writable")
    }
    if case .file(let mode) = kind { fchmod(opened.descriptor, mode) }
    phase = Mutex(.open(descriptor: opened.descriptor, temporary: opened.temporary))
  }

  deinit { discard() }

  /// Adds bytes.
  func write(_ bytes: [UInt8]) throws(OutputError) {
    let number = phase.withLock { phase -> Int32 in
      guard case .open(let descriptor, _) = phase else { return 0 }
      return SystemCalls.writeAll(descriptor, bytes)
    }
    guard number != 0 else { return }
    discard()
    throw failure(number)
  }

  /// Puts the file in its place.
  func commit() throws(OutputError) {
    let number = phase.withLock { phase -> Int32 in
      guard case .open(let descriptor, let temporary) = phase else { return 0 }
      phase = .closed
      return Self.commit(descriptor, temporary, to: path)
    }
    if number != 0 { throw failure(number) }
  }

  /// Drops what was written; what was in the place before stays.
  func discard() {
    phase.withLock { phase in
      guard case .open(let descriptor, let temporary) = phase else { return }
      phase = .closed
      close(descriptor)
      temporary.map(TemporaryFiles.remove)
    }
  }

  private func failure(_ number: Int32) -> OutputError {
    OutputError("cannot write \(shownPath): \(SystemCalls.message(number))", isReaderGone: number == EPIPE)
  }

  private static func commit(_ descriptor: Int32, _ temporary: String?, to path: String) -> Int32 {
    let synced = SystemCalls.sync(descriptor)
    let closed = close(descriptor) == 0 || errno == EINTR ? 0 : errno
    guard let temporary else { return closed }
    guard synced == 0, closed == 0 else {
      TemporaryFiles.remove(temporary)
      return synced == 0 ? closed : synced
    }
    guard rename(temporary, path) == 0 else {
      let number = errno
      TemporaryFiles.remove(temporary)
      return number
    }
    TemporaryFiles.forget(temporary)
    return 0
  }

  private static func openDirectly(_ path: String) -> (descriptor: Int32, temporary: String?) {
    (SystemCalls.openFile(path, O_WRONLY | O_NONBLOCK), nil)
  }

  private static func openTemporary(beside path: String) -> (descriptor: Int32, temporary: String?) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    while true {
      let temporary = TemporaryFiles.newPath(in: folder)
      let descriptor = SystemCalls.openFile(temporary, O_WRONLY | O_CREAT | O_EXCL)
      if descriptor >= 0 { return (descriptor, temporary) }
      TemporaryFiles.forget(temporary)
      if descriptor != -EEXIST { return (descriptor, nil) }
    }
  }
}

/// The temporary files of the process, so that one that must end at once leaves none behind.
enum TemporaryFiles {
  private struct State {
    var paths: Set<String> = []
    var count = 0
  }

  private static let state = Mutex(State())

  /// A path that this process has not used yet.
  static func newPath(in folder: String) -> String {
    state.withLock { state in
      state.count += 1
      let path = "\(folder)/.auricle-\(getpid())-\(state.count).part"
      state.paths.insert(path)
      return path
    }
  }

  /// A file is no temporary one any more.
  static func forget(_ path: String) {
    _ = state.withLock { $0.paths.remove(path) }
  }

  /// Removes a file.
  static func remove(_ path: String) {
    forget(path)
    unlink(path)
  }

  /// Removes all.
  static func removeAll() {
    for path in state.withLock(\.paths) { remove(path) }
  }
}
