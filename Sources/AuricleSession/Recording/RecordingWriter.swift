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
  /// What is written from a frame on, as such a source: its first chunk begins at that frame.
  func makeTail(from frame: Int64) -> any AudioSource
  /// Keeps everything from a frame on for tails that are made later; `nil` keeps what the tails of now need. Called by anyone.
  func keepTail(from frame: Int64?)
  /// Nobody reads tails any more: keeps nothing for them. Called by the task that appends.
  func dropTails()
}

extension RecordingWriter {
  /// Skips what comes before the frame: right for a file that keeps everything.
  public func makeTail(from frame: Int64) -> any AudioSource { RestSource(makeTail(), from: frame, isFilled: false) }
  /// Nothing: right for a file that keeps everything.
  public func keepTail(from frame: Int64?) {}
}

/// The journal of a recording, as a run sees it. Any thread may write.
public protocol JournalWriter: Sendable {
  /// Adds a line, given without its line break.
  func append(line: String) throws
  /// Gives what was added to the disk.
  func sync() throws
  /// Removes the journal: the report is there.
  func remove() throws
  /// Lets go of the journal, which stays: its text comes later.
  func leave()
}

extension JournalWriter {
  /// Nothing: right for a journal that nobody is kept from.
  public func leave() {}
}
