import AuricleAudio

/// Writes a recording into its folder, so that what was appended survives whatever comes after it.
///
/// Audio is written before anything else happens to it. Every frame has its place: a gap stands in the file as silence of
/// its length, and frames that are missing without a word become a gap of reason `overrun`. The first failure is thrown at
/// once, and again by each later append; ``finish()`` then makes the file whole up to what was written.
///
/// While audio comes, the file is given to the disk each ``RecorderLimits/syncInterval``, on a thread beside the one that
/// appends, which does not wait for a slow disk. A failure of that shows at the next append.
///
/// Threading: `append`, `finish` and `dropSpool` are called by one task at a time, best on a thread of its own, since they
/// wait for the disk. ``progress``, the tails and what is kept for them may be used from anywhere. A program that records under a limit on the
/// length of files has to ignore `SIGXFSZ`, so that the limit comes as an error.
public final class Recorder: @unchecked Sendable {
  // The rule that makes it safe: what is not constant is touched only by the one task that may append and finish; readers
  // see the lock inside `progress` and nothing else.

  enum Phase {
    /// Takes audio.
    case recording
    /// Takes no more; the file can still be made whole.
    case failed(RecordingError)
    /// The file is closed. Nothing is taken, and finishing again is nothing.
    case finished
  }

  /// The recording's folder.
  public let folder: RecordingFolder
  /// How the recording stands on disk.
  public let format: RecordingFormat
  /// The format of the blocks that are taken.
  public let audio: AudioFormat
  /// How far the recording is; for anybody to read.
  public let progress = RecordingProgress()

  let path: String
  let writer: any AudioWriter
  let watch: FolderWatch
  let diskSync = DiskSync()
  let limits: RecorderLimits
  let elapsed: @Sendable () -> Duration
  private let store: SampleStore?
  var spool: Spool?
  var timeline: Timeline
  var upkeep: Upkeep
  var phase = Phase.recording

  /// Makes the audio file, and with FLAC and Opus the spool. Header and names are on the disk when this returns.
  /// - Parameters:
  ///   - folder: A folder that holds no audio file of that format.
  ///   - format: How the recording is to stand on disk.
  ///   - audio: The format of the blocks that will come.
  ///   - keepsSpool: Whether ``makeTail(from:)`` will be used; without it FLAC and Opus are not written twice. No matter for WAV.
  ///   - limits: How often the file is looked after, and how much room is left free.
  ///   - clock: What measures the intervals.
  /// - Throws: ``RecordingError`` of kind `unsupportedFormat`, `exists`, `notPermitted`, `storageFull`, `notFound` or
  ///   `writeFailed`. No file is left behind then.
  public convenience init<C: Clock>(
    folder: RecordingFolder, format: RecordingFormat, audio: AudioFormat, keepsSpool: Bool = true,
    limits: RecorderLimits = RecorderLimits(), clock: C = ContinuousClock()
  ) throws(RecordingError) where C.Duration == Duration {
    let start = clock.now
    try self.init(
      folder: folder, format: format, audio: audio, keepsSpool: keepsSpool, limits: limits,
      elapsed: { start.duration(to: clock.now) }, calls: .system)
  }

  init(
    folder: RecordingFolder, format: RecordingFormat, audio: AudioFormat, keepsSpool: Bool, limits: RecorderLimits,
    elapsed: @escaping @Sendable () -> Duration, calls: ChangingCalls
  ) throws(RecordingError) {
    let start = try RecordingStart(folder, format, audio, keepsSpool: keepsSpool, limits: limits, calls: calls)
    self.folder = folder
    self.format = format
    self.audio = audio
    self.limits = limits
    self.elapsed = elapsed
    path = start.path
    writer = start.writer
    watch = start.watch
    store = start.store
    spool = start.spool
    timeline = Timeline(sampleRate: audio.sampleRate)
    upkeep = Upkeep(limits, at: elapsed())
    publish(freeByteCount: start.freeByteCount)
    if store == nil { refuseTails() }
  }

  deinit {
    guard case .finished = phase else {
      try? close()
      end(RecordingError(.abandoned, "the recording was given up before it was finished"))
      return
    }
  }

  /// Reads the recording while it is made, from its first frame on.
  ///
  /// FLAC and Opus are read from the spool, of which tails give back what all of them have read; a tail that is made later
  /// begins with a gap of reason `overrun`. A tail of a recorder that keeps no spool throws at once.
  /// While there is no tail, the spool grows; see ``dropSpool()``. What must stay for a tail that is made later is named
  /// with ``keepTail(from:)``.
  /// - Parameter frame: The first frame that is read; it may lie in the future.
  public func makeTail(from frame: Int64 = 0) -> TailSource { TailSource(audio, progress, store, from: frame) }

  /// Keeps everything from a frame on for tails that are made later, whatever the tails of now have read; what lies before
  /// it and was read is given back. No matter for WAV, which keeps everything.
  ///
  /// Any thread may call this, at any time.
  /// - Parameter frame: `nil` keeps only what the tails of now have not read.
  public func keepTail(from frame: Int64?) {
    guard let store, store.isSpool else { return }
    let least = store.releasedFrameCount
    if let frames = progress.update({ $0.tail.keep(from: frame, releasing: least) }) { store.release(frames) }
  }

  /// Writes a block.
  ///
  /// Samples are rounded to 16 bit: multiplied by 32,768, to the nearest integer, ties to even, cut to the range; what is
  /// not a number is 0. Frames that were written before are left out and counted.
  /// - Throws: ``RecordingError``, after which the recording is over.
  public func append(_ block: PCMBlock) throws(RecordingError) {
    let repeated = try begin(block.frames, block.format.sampleRate, block.format == audio)
    if repeated < Int64(block.frameCount) {
      try write(SampleRounding.int16(block.samples.dropFirst(Int(repeated) * audio.channelCount)))
    }
    try lookAfter()
  }

  /// Writes a gap, as silence of its length.
  /// - Throws: ``RecordingError``, after which the recording is over.
  public func append(_ gap: AudioGap) throws(RecordingError) {
    let repeated = try begin(gap.frames, gap.sampleRate, gap.sampleRate == audio.sampleRate)
    try writeSilence(gap.frames.lowerBound + repeated..<gap.frames.upperBound, gap.reason)
    try lookAfter()
  }

  /// Ends the recording: writes what is held back and the final header, gives the file to the disk, and removes the spool.
  /// After a failed append it makes the file whole up to what was written. Finishing again is nothing.
  /// - Throws: ``RecordingError``, when that fails. An earlier failure of an append is not thrown again.
  public func finish() throws(RecordingError) {
    if case .finished = phase { return }
    do throws(RecordingError) {
      try close()
      end(nil)
    } catch {
      end(error)
      throw error
    }
  }

  /// Stops keeping the samples for tails, and gives their room back at once. Tails then throw. WAV has no spool.
  ///
  /// To be called when the recogniser is given up: what nobody reads is kept. The recorder does it by itself when the disk
  /// would else be full.
  public func dropSpool() {
    guard let spool else { return }
    self.spool = nil
    progress.update { ledger in
      ledger.tail.failure = AudioError(
        .readFailed, "the copy for the recogniser was given up; the recording is complete")
      ledger.tail.isDropped = true
    }
    spool.drop()
  }
}
