import AuricleAudio

/// The audio of a pipe, a terminal or a device: standard input, as a rule.
///
/// Headerless PCM and WAV are delivered as their bytes arrive. Everything else has to come in whole before it can be
/// decoded, and waits in an unnamed temporary file. The descriptor stays open, and whoever opened it closes it.
public actor PipeSource: AudioSource {
  /// The stream's own rate and channels.
  public nonisolated let format: AudioFormat
  /// How many frames the stream promises; `nil` when it does not say.
  public nonisolated let expectedFrameCount: Int64?
  private let stream: FrameStream

  /// Takes a descriptor for reading, and reads as much as it takes to know that it brings audio.
  /// - Parameters:
  ///   - fileDescriptor: An open descriptor; it must stay open for as long as the source lives.
  ///   - name: What to call it in messages.
  ///   - raw: How to read it, if it is headerless PCM; `nil` for everything that has a header.
  ///   - ffmpeg: The program for what the libraries do not know; `nil` to do without.
  ///   - spool: Where a stream that has to come in whole may wait.
  /// - Throws: `AudioError` of kind `notAudio`, `unsupportedFormat`, `missingTool` or `readFailed` (also when there is no
  ///   room to wait in); `CancellationError` promptly when the task is cancelled.
  public init(
    fileDescriptor: Int32, name: String = "standard input", raw: RawFormat? = nil,
    ffmpeg: FFmpegTool? = .installed(), spool: SpoolPlace = .standard
  ) async throws {
    let name = displayName(name)
    let descriptor = FileDescriptor(borrowing: fileDescriptor)
    let reader = try await StreamOpening(descriptor: descriptor, name: name, ffmpeg: ffmpeg, spool: spool).open(raw)
    format = reader.format
    expectedFrameCount = reader.expectedFrameCount
    stream = FrameStream(reader, name: name)
  }

  /// Waits for frames, and delivers what is there.
  ///
  /// See `AudioSource.next(maxFrames:)`. A cancelled wait loses nothing: a later call goes on where it stopped.
  public func next(maxFrames: Int) async throws -> AudioChunk? {
    try await stream.next(maxFrames: maxFrames)
  }
}
