import AuricleAudio

/// The files of a new recording: all of them, or none.
struct RecordingStart {
  let path: String
  let writer: any AudioWriter
  let watch: FolderWatch
  let store: SampleStore?
  let spool: Spool?
  let freeByteCount: Int64

  init(
    _ folder: RecordingFolder, _ format: RecordingFormat, _ audio: AudioFormat, keepsSpool: Bool,
    limits: RecorderLimits, calls: ChangingCalls
  ) throws(RecordingError) {
    path = folder.audioPath(format)
    try EncodedWriter.check(format, audio)
    freeByteCount = try Self.freeByteCount(folder, path, limits)
    let file = try Self.attempt(path) { path throws(SystemError) in try OpenFile(path, .creating, calls: calls) }
    do throws(RecordingError) {
      watch = try Self.attempt(path) { path throws(SystemError) in try FolderWatch(path, file) }
      // The spool comes last, so that nothing can fail once it is there.
      (writer, store, spool) = try Self.parts(folder, format, audio, file, keepsSpool: keepsSpool, calls: calls)
    } catch {
      // It is ours and holds no audio.
      try? FileCalls.remove(path)
      throw error
    }
    syncFolder(folder.path)
  }

  private static func freeByteCount(_ folder: RecordingFolder, _ path: String, _ limits: RecorderLimits)
    throws(RecordingError) -> Int64
  {
    let free = try attempt(folder.path) { path throws(SystemError) in try OpenFile(path, .reading).freeByteCount() }
    guard free >= limits.freeByteFloor else { throw .storageFull(path, freeByteCount: free) }
    return free
  }

  private static func parts(
    _ folder: RecordingFolder, _ format: RecordingFormat, _ audio: AudioFormat, _ file: OpenFile, keepsSpool: Bool,
    calls: ChangingCalls
  ) throws(RecordingError) -> (any AudioWriter, SampleStore?, Spool?) {
    let spooled: EncodedWriter
    do throws(WriteFault) {
      guard format != .wav else {
        let writer = try WAVWriter(file, audio)
        try WriteFault.watching { () throws(SystemError) in try file.sync() }
        let channels = audio.channelCount
        return (writer, SampleStore(file, dataOffset: writer.dataOffset, channelCount: channels, isSpool: false), nil)
      }
      let writer = try EncodedWriter(file, format, audio)
      try WriteFault.watching { () throws(SystemError) in try file.sync() }
      guard keepsSpool else { return (writer, nil, nil) }
      spooled = writer
    } catch {
      throw RecordingError(error, folder.audioPath(format))
    }
    let spool = try Spool(folder.spoolPath, audio, calls: calls)
    return (spooled, spool.store(audio), spool)
  }

  private static func attempt<R>(_ path: String, _ body: (String) throws(SystemError) -> R) throws(RecordingError) -> R
  {
    do throws(SystemError) {
      return try body(path)
    } catch {
      throw RecordingError(error, "write", path)
    }
  }
}
