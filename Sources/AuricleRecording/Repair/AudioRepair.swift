import AuricleAudio

/// What is in an audio file once it was mended.
public struct RepairedAudio: Sendable, Hashable {
  /// How many frames can be read.
  public var frameCount: Int64
  /// Frames per second, as players see them; of an Opus file it may differ from the recording's.
  public var sampleRate: Int
  /// Samples per frame.
  public var channelCount: Int
  /// The file was changed: it did not say how long it is, or it ended in the middle of something.
  public var wasChanged = false

  /// The length in seconds.
  public var seconds: Double { Double(frameCount) / Double(sampleRate) }
}

/// Mends the audio file of a recording that did not come to its end, from the file's bytes alone.
///
/// Afterwards players show a finite length. Nothing that could be decoded before is lost: only a frame or page is cut that
/// the end of the file tore apart, and nothing of a file that is damaged elsewhere too. The file is mended in its place, in steps each of which leaves a file that can be mended
/// again, so a repair that dies does no harm; a file that is whole is not touched.
public enum AudioRepair {
  /// Mends a file. Nobody else may write to it.
  ///
  /// Blocks for as long as it takes to read the file, for FLAC and Opus all of it.
  /// - Throws: ``RecordingError`` of kind `notFound`, `notPermitted`, `writeFailed`, or `damaged` when the file's beginning
  ///   is no such file's.
  public static func repair(_ path: String, format: RecordingFormat) throws(RecordingError) -> RepairedAudio {
    try repair(path, format: format, calls: .system)
  }

  static func repair(_ path: String, format: RecordingFormat, calls: ChangingCalls) throws(RecordingError)
    -> RepairedAudio
  {
    do throws(WriteFault) {
      let file = try WriteFault.watching { () throws(SystemError) in
        try OpenFile(path, .changing, calls: calls)
      }
      let repaired = try mend(file, format)
      if repaired.wasChanged { try WriteFault.watching { () throws(SystemError) in try file.sync() } }
      return repaired
    } catch {
      switch error {
      case .system(let error): throw RecordingError(error, "mend", path)
      case .encoder(let words), .refused(let words):
        throw RecordingError(.damaged, "cannot mend \(shownName(path)): \(words)")
      }
    }
  }

  /// Writes the beginning of a WAV of ours again, of which only the samples are left, when its format is known from elsewhere.
  ///
  /// Whatever stands in the place of the beginning is lost.
  /// - Throws: ``RecordingError`` as ``repair(_:format:)`` does; `damaged` when the file is too short to hold a sample.
  public static func rebuildWAV(_ path: String, format: AudioFormat) throws(RecordingError) -> RepairedAudio {
    let layout = WAVLayout(format: format)
    var frameCount: Int64 = 0
    do throws(SystemError) {
      let file = try OpenFile(path, .changing, calls: .system)
      frameCount = (try file.status().byteCount - Int64(layout.dataOffset)) / Int64(layout.bytesPerFrame)
      if frameCount > 0 {
        let byteCount = frameCount * Int64(layout.bytesPerFrame)
        try file.writeAll(layout.header(dataByteCount: byteCount), at: 0)
        try file.resize(to: Int64(layout.dataOffset) + byteCount)
        try file.sync()
      }
    } catch {
      throw RecordingError(error, "mend", path)
    }
    guard frameCount > 0 else { throw RecordingError(.damaged, "\(shownName(path)) holds no samples") }
    return RepairedAudio(
      frameCount: frameCount, sampleRate: format.sampleRate, channelCount: format.channelCount, wasChanged: true)
  }

  /// Mends an open file.
  static func mend(_ file: OpenFile, _ format: RecordingFormat) throws(WriteFault) -> RepairedAudio {
    do throws(MendFault) {
      switch format {
      case .wav: return try WAVMend.mend(file)
      case .flac: return try FLACMend.mend(file)
      case .opus: return try OpusMend.mend(file)
      }
    } catch {
      switch error {
      case .system(let error): throw .system(error)
      case .beyondMending(let words): throw .encoder(words)
      }
    }
  }
}

/// Why a file could not be mended.
enum MendFault: Error, Equatable {
  case system(SystemError)
  /// What the bytes are not.
  case beyondMending(String)

  static func watching<R>(_ body: () throws(SystemError) -> R) throws(MendFault) -> R {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .system(error)
    }
  }
}
