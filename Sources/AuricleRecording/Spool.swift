import AuricleAudio

/// The hidden copy of the samples beside FLAC and Opus, which the recogniser reads. Losing it costs text, never audio.
final class Spool {
  private let file: OpenFile
  private let path: String
  private let bytesPerFrame: Int
  /// So many frames are in it.
  private(set) var frameCount: Int64 = 0

  /// - Throws: ``RecordingError``, when there is one already, or none can be made.
  init(_ path: String, _ format: AudioFormat, calls: ChangingCalls) throws(RecordingError) {
    do throws(SystemError) {
      file = try OpenFile(path, .creating, calls: calls)
    } catch {
      throw RecordingError(error, "make the file", path)
    }
    self.path = path
    bytesPerFrame = 2 * format.channelCount
  }

  /// What readers read from.
  func store(_ format: AudioFormat) -> SampleStore {
    SampleStore(file, dataOffset: 0, channelCount: format.channelCount, isSpool: true)
  }

  /// How much room frames take up, in bytes.
  func byteCount(_ frameCount: Int64) -> Int64 { frameCount * Int64(bytesPerFrame) }

  func write(_ samples: [Int16]) throws(SystemError) {
    let written = samples.withUnsafeBytes { file.write($0, at: byteCount(frameCount)) }
    frameCount += Int64(written.byteCount / bytesPerFrame)
    if let error = written.error { throw error }
  }

  func writeSilence(_ frameCount: Int64) throws(SystemError) {
    try file.resize(to: byteCount(self.frameCount + frameCount))
    self.frameCount += frameCount
  }

  /// Takes the name away. Readers that have it open go on.
  func removeName() { try? FileCalls.remove(path) }

  /// Gives the room back at once, whoever reads.
  func drop() {
    removeName()
    try? file.resize(to: 0)
  }
}
