/// Destroys what was recorded, when somebody takes their consent back and wants it gone.
///
/// The bytes are overwritten where they lie, given to the disk, and then the names are removed. A disk that writes
/// elsewhere than it was told (flash, snapshots, journals, copies) may keep the old bytes: this is as far as a program gets.
extension RecordingFolder {
  /// Overwrites and removes every audio file, the spool, and the transcripts. The journal and the report stay: who writes
  /// them has to destroy the words in them; see ``destroyFile(_:)``.
  ///
  /// Blocks for as long as it takes to write as many bytes as there are. Nobody else may write to the files.
  /// - Throws: ``RecordingError``, the first that came; every file was tried by then.
  public func destroyRecording(transcripts fileExtensions: [String] = ["txt", "srt"]) throws(RecordingError) {
    let texts = fileExtensions.map(transcriptPath)
    let audio = RecordingFormat.allCases.map(audioPath) + [spoolPath]
    // Who is killed while a text is written leaves a part of it.
    let paths = audio + texts + (texts + [reportPath]).map { $0 + ".part" }
    var failure: RecordingError?
    for path in paths {
      do throws(RecordingError) {
        try Self.destroyFile(path)
      } catch {
        failure = failure ?? error
      }
    }
    syncFolder(path)
    if let failure { throw failure }
  }

  /// Overwrites a file with zeros, gives that to the disk, and removes the name. None there is no failure.
  ///
  /// A file that has other names as well is emptied for those too.
  /// - Throws: ``RecordingError``; what was overwritten by then is gone, and the name may be there.
  public static func destroyFile(_ path: String) throws(RecordingError) {
    try destroyFile(path, calls: .system)
  }

  static func destroyFile(_ path: String, calls: ChangingCalls) throws(RecordingError) {
    do throws(SystemError) {
      let file = try OpenFile(path, .changing, calls: calls)
      try overwrite(file, try file.status().byteCount)
      try file.sync()
      try file.resize(to: 0)
      try FileCalls.remove(path)
    } catch {
      if error.isNotFound { return }
      throw RecordingError(error, "destroy", path)
    }
  }

  private static func overwrite(_ file: OpenFile, _ byteCount: Int64) throws(SystemError) {
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    var offset: Int64 = 0
    while offset < byteCount {
      let count = Int(min(Int64(zeros.count), byteCount - offset))
      do throws(SystemError) {
        try file.writeAll(Array(zeros.prefix(count)), at: offset)
      } catch {
        // A hole that a full disk has no room for holds nothing; what lies behind it does.
        guard error.isNoRoom else { throw error }
      }
      offset += Int64(count)
    }
  }
}
