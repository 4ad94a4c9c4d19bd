/// Whether a file that is written to is still where it was made.
struct FolderWatch {
  private let path: String
  private let file: OpenFile
  private let identity: FileCalls.Status

  init(_ path: String, _ file: OpenFile) throws(SystemError) {
    self.path = path
    self.file = file
    identity = try file.status()
  }

  /// Somebody deleted the file or its folder, or moved them away.
  var isGone: Bool {
    if let status = try? file.status(), status.nameCount == 0 { return true }
    do throws(SystemError) {
      let found = try FileCalls.status(at: path)
      return found.device != identity.device || found.number != identity.number
    } catch {
      // A folder that may not be entered any more is still there.
      return error.isNotFound
    }
  }

  /// The free space of the file's disk, in bytes; `nil` when the system does not say.
  var freeByteCount: Int64? { try? file.freeByteCount() }

  /// What to tell the user.
  var error: RecordingError {
    RecordingError(.folderGone, "\(shownName(path)) was deleted or moved away while it was recorded")
  }
}
