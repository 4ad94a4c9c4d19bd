import AuricleRecording
import Foundation

/// A file of a recording's folder that is there whole or not at all, and survives a loss of power once it is there.
enum DurableFile {
  /// Writes a file, readable by its owner only, in place of an older one.
  /// - Throws: ``SessionFailure`` of the domain of recordings.
  static func write(_ text: String, to path: String) throws(SessionFailure) {
    let temporary = path + ".part"
    // One that a killed program left behind is of no use.
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path, errno) }
    var number = writeAll(descriptor, Array(text.utf8))
    if number == 0 { number = repeating { fsync(descriptor) } }
    if close(descriptor) != 0, errno != EINTR, number == 0 { number = errno }
    if number == 0, rename(temporary, path) != 0 { number = errno }
    guard number == 0 else {
      unlink(temporary)
      throw failure(path, number)
    }
    syncFolder(of: path)
  }

  /// Makes a change of a folder's names durable; a file system that cannot is left in peace.
  static func syncFolder(of path: String) {
    let descriptor = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = repeating { fsync(descriptor) }
    close(descriptor)
  }

  private static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let count = Foundation.write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
        if count >= 0 { offset += count } else if errno != EINTR { return errno }
      }
      return 0
    }
  }

  private static func repeating(_ call: () -> Int32) -> Int32 {
    while call() != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }

  private static func failure(_ path: String, _ number: Int32) -> SessionFailure {
    let isFull = number == ENOSPC || number == EDQUOT
    let reason = isFull ? "the disk is full" : String(cString: strerror(number))
    let advice = number == ENOENT ? "its folder is gone" : "the audio is safe, auricle recover writes it later"
    return SessionFailure(
      isFull ? .storageFull : .writeFailed, "cannot write \(PlainText.line(path)): \(reason); \(advice)")
  }
}

/// The files that stand beside a recording's audio.
struct RecordingDocuments: Sendable {
  /// The recording's folder.
  let folder: String

  /// Writes the texts and then the report, so that where a report is, all is.
  /// - Throws: ``SessionFailure``
  func write(_ report: RecordingReport) throws(SessionFailure) {
    try DurableFile.write(TextExport.render(report), to: "\(folder)/transcript.txt")
    try DurableFile.write(SubRipExport.render(report), to: "\(folder)/transcript.srt")
    try writeReport(report)
  }

  /// Writes the report alone.
  /// - Throws: ``SessionFailure``
  func writeReport(_ report: RecordingReport) throws(SessionFailure) {
    let json: String
    do {
      json = try ReportExport.json.render(report)
    } catch {
      throw SessionFailure(.writeFailed, PlainText.line("\(error)"))
    }
    try DurableFile.write(json, to: "\(folder)/report.json")
  }
}
