/// The folder of one recording: `audio.*`, the journal, the report and the transcripts.
public struct RecordingFolder: Sendable, Hashable {
  private static let attempts = 10_000

  /// Where the folder is.
  public let path: String

  /// Names a folder that exists.
  public init(path: String) { self.path = path }

  /// Makes a new folder, for its owner alone (mode 0700), and the folders above it.
  ///
  /// A folder that exists is never taken: `-2`, `-3` and so on is appended to the name. The new folder is on the disk
  /// when this returns, as far as the system tells.
  /// - Parameters:
  ///   - root: Where recordings are kept.
  ///   - name: The name of the new folder: one component of a path.
  /// - Throws: ``RecordingError`` of kind `notPermitted`, `storageFull`, `exists` or `writeFailed`.
  public static func create(in root: String, named name: String) throws(RecordingError) -> RecordingFolder {
    let root = root.isEmpty ? "." : root
    guard !name.isEmpty, name != ".", name != "..", !name.contains("/"), !name.utf8.contains(0) else {
      throw RecordingError(.writeFailed, "\"\(shownName(name))\" cannot be the name of a folder")
    }
    try makeParents(root)
    for number in 1...attempts {
      let path = "\(root)/\(name)\(number == 1 ? "" : "-\(number)")"
      if try makeNew(path) {
        syncFolder(root)
        return RecordingFolder(path: path)
      }
    }
    throw RecordingError(.exists, "\(shownName(root)) is full of folders named \(shownName(name)); take another one")
  }

  private static func makeNew(_ path: String) throws(RecordingError) -> Bool {
    do throws(SystemError) {
      try FileCalls.makeFolder(path)
      return true
    } catch {
      if error.isExisting { return false }
      throw RecordingError(error, "make the folder", path)
    }
  }

  private static func makeParents(_ path: String) throws(RecordingError) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/\(part)"
      do throws(SystemError) {
        try FileCalls.makeFolder(made)
        syncFolder(made + "/..")
      } catch {
        // A read-only disk or a foreign folder says so before it says that the folder exists.
        if !error.isExisting, !isFolder(made) { throw RecordingError(error, "make the folder", made) }
      }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    (try? FileCalls.status(at: path + "/."))?.isFolder ?? false
  }

  /// The audio file.
  public func audioPath(_ format: RecordingFormat) -> String { "\(path)/\(format.fileName)" }
  /// The marker of a recording under way, and its log.
  public var journalPath: String { "\(path)/.journal.jsonl" }
  /// The report.
  public var reportPath: String { "\(path)/report.json" }
  /// The hidden file that the recogniser reads while FLAC or Opus is recorded.
  ///
  /// ``Recorder/finish()`` removes it. What is left of a killed process holds nothing that the audio file does not hold
  /// up to the last second, and may be removed once that is repaired.
  public var spoolPath: String { "\(path)/.audio.s16le" }

  /// A transcript.
  /// - Parameter fileExtension: Without the dot: `txt`, `srt`.
  public func transcriptPath(_ fileExtension: String) -> String { "\(path)/transcript.\(fileExtension)" }

  /// Which audio file the folder holds; `nil` when it holds none.
  public var format: RecordingFormat? {
    RecordingFormat.allCases.first { (try? FileCalls.status(at: audioPath($0)))?.isFile ?? false }
  }

  /// Removes the spool that a killed process left behind. None there is no failure.
  public func removeSpool() {
    try? FileCalls.remove(spoolPath)
  }
}

/// Gives a folder's list of names to the disk. Disks that cannot do it refuse, which is no failure.
func syncFolder(_ path: String) {
  let folder = try? OpenFile(path, .reading)
  try? folder?.sync()
}
