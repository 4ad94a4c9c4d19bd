import AuricleAudio
import AuricleRecording

/// A recorder as a run sees it.
public struct RecorderFile: RecordingWriter {
  private let recorder: Recorder

  /// Takes over a recorder that nobody else writes to.
  public init(_ recorder: Recorder) { self.recorder = recorder }

  /// The format of what is appended.
  public var format: AudioFormat { recorder.audio }
  /// How many frames are written, gaps included.
  public var frameCount: Int64 { recorder.progress.current.frameCount }
  /// The size of the file, in bytes.
  public var byteCount: Int64 { recorder.progress.current.byteCount }
  /// The room that is left on its disk, in bytes.
  public var freeByteCount: Int64? { recorder.progress.current.freeByteCount }

  /// Writes frames. See `Recorder.append(_:)`.
  public func append(_ block: PCMBlock) throws { try recorder.append(block) }
  /// Writes silence for frames that are missing. See `Recorder.append(_:)`.
  public func append(_ gap: AudioGap) throws { try recorder.append(gap) }
  /// Makes the file whole, durable and closed. See `Recorder.finish()`.
  public func finish() throws { try recorder.finish() }
  /// What is written as a source. See `Recorder.makeTail()`.
  public func makeTail() -> any AudioSource { recorder.makeTail() }
  /// What is written from a frame on. See `Recorder.makeTail(from:)`.
  public func makeTail(from frame: Int64) -> any AudioSource { recorder.makeTail(from: frame) }
  /// Keeps everything from a frame on. See `Recorder.keepTail(from:)`.
  public func keepTail(from frame: Int64?) { recorder.keepTail(from: frame) }
  /// Keeps nothing for tails any more. See `Recorder.dropSpool()`.
  public func dropTails() { recorder.dropSpool() }
}

extension Journal: JournalWriter {
  /// Adds a line. See `append(_:)`.
  public func append(line: String) throws { try append(line) }
}
