import AuricleAudio

/// The audio of a file: any rate, channels and sample format of WAV, FLAC, Ogg Vorbis, Opus, MP3, AIFF, SPHERE, AU and
/// RF64, headerless PCM, and whatever else the `ffmpeg` program can read.
///
/// What the bytes hold decides, never the name. A damaged file gives what is really there and a notice of kind
/// `damagedAudio`. Named pipes and devices are read as streams, like ``PipeSource`` does.
public actor FileSource: AudioSource {
  /// The file's own rate and channels.
  public nonisolated let format: AudioFormat
  /// How many frames the file promises; `nil` when it does not say.
  public nonisolated let expectedFrameCount: Int64?
  private let stream: FrameStream

  /// Opens a file, and reads as much of it as it takes to know that it holds audio.
  /// - Parameters:
  ///   - path: Where it is.
  ///   - raw: How to read it, if it is headerless PCM; `nil` for everything that has a header.
  ///   - ffmpeg: The program for what the libraries do not know; `nil` to do without.
  /// - Throws: `AudioError` of kind `notFound` (also for a folder), `notPermitted`, `notAudio`, `unsupportedFormat`,
  ///   `missingTool` or `readFailed`; `CancellationError` when the task is cancelled while it waits for a pipe.
  public init(path: String, raw: RawFormat? = nil, ffmpeg: FFmpegTool? = .installed()) async throws {
    let name = displayName(path)
    let reader = try await Self.open(path, name: name, raw: raw, ffmpeg: ffmpeg)
    format = reader.format
    expectedFrameCount = reader.expectedFrameCount
    stream = FrameStream(reader, name: name)
  }

  /// Reads the next block.
  ///
  /// See `AudioSource.next(maxFrames:)`. Blocks hold at most 65,536 frames, however many are allowed.
  public func next(maxFrames: Int) async throws -> AudioChunk? {
    try await stream.next(maxFrames: maxFrames)
  }

  private nonisolated(nonsending) static func open(
    _ path: String, name: String, raw: RawFormat?, ffmpeg: FFmpegTool?
  ) async throws -> sending any FrameReader {
    let (descriptor, nature) = try openDescriptor(path, name: name)
    switch nature {
    case .folder:
      throw AudioError(.notFound, "\(name): it is a folder; name an audio file")
    case .stream:
      return try await StreamOpening(descriptor: descriptor, name: name, ffmpeg: ffmpeg).open(raw)
    case .file(let byteCount):
      let file = AudioFile(descriptor: descriptor, byteCount: byteCount, name: name)
      guard let raw else { return try await FileOpening(file: file, ffmpeg: ffmpeg).open() }
      guard byteCount > 0 else { throw file.notAudio("it is empty") }
      return PCMReader(FileBytes(descriptor), raw: raw, extent: PCMExtent(expected: byteCount))
    }
  }

  private nonisolated static func openDescriptor(
    _ path: String, name: String
  ) throws(AudioError) -> (FileDescriptor, FileDescriptor.Nature) {
    do throws(SystemError) {
      let descriptor = try FileDescriptor.open(readingAt: path)
      return (descriptor, try descriptor.nature())
    } catch {
      throw .cannotOpen(name, error)
    }
  }
}
