import AuricleAudio

/// The file of a recording, as a run sees it: takes what is heard, and lets others read what is written.
///
/// ``append(_:)-(PCMBlock)``, ``append(_:)-(AudioGap)`` and ``finish()`` are called by one task at a time; the rest by anyone.
public protocol RecordingWriter: Sendable {
  /// The format of what is appended.
  var format: AudioFormat { get }
  /// How many frames are written, gaps included.
  var frameCount: Int64 { get }
  /// The size of the file, in bytes.
  var byteCount: Int64 { get }
  /// The room that is left on its disk, in bytes; `nil` when nobody knows.
  var freeByteCount: Int64? { get }

  /// Writes frames, which follow on those before.
  /// - Throws: When it cannot; what was written before stays good.
  func append(_ block: PCMBlock) throws
  /// Writes silence for frames that are missing, which follow on those before.
  /// - Throws: When it cannot; what was written before stays good.
  func append(_ gap: AudioGap) throws
  /// Makes the file whole, durable and closed, also after a failure. Harmless when repeated.
  func finish() throws
  /// What is written as a source that waits for more, and ends when the file is finished.
  func makeTail() -> any AudioSource
  /// Nobody reads tails any more: keeps nothing for them. Called by the task that appends.
  func dropTails()
}

/// The journal of a recording, as a run sees it. Any thread may write.
public protocol JournalWriter: Sendable {
  /// Adds a line, given without its line break.
  func append(line: String) throws
  /// Gives what was added to the disk.
  func sync() throws
  /// Removes the journal: the report is there.
  func remove() throws
}
