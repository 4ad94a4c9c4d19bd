import AuricleAudio

/// Reads what the `ffmpeg` program decodes. The program ends with the reader, at the latest.
final class FFmpegReader: FrameReader {
  private let child: ChildProcess
  private let side: SidePipe
  private let frames: PCMReader
  private var isAtEnd = false

  var format: AudioFormat { frames.format }
  let expectedFrameCount: Int64? = nil

  /// Starts the program and waits for its first words.
  /// - Throws: `AudioError` of kind `notAudio` when it can make nothing of the file, `missingTool` when there is no such
  ///   program, `readFailed` when the system does not start it.
  nonisolated(nonsending) static func open(
    _ file: AudioFile, tool: FFmpegTool, stallSeconds: Int32 = FFmpegCommand.stallSeconds
  ) async throws -> FFmpegReader {
    let child = try start(file, tool)
    let side = SidePipe(child.errors)
    do {
      let bytes = try PipeBytes(child.output, side: side, stallSeconds: stallSeconds)
      let frames = try await header(bytes, file)
      return FFmpegReader(child, side, frames)
    } catch is PipeStalled {
      throw file.notAudio("the ffmpeg program found nothing in it for a long time")
    } catch let error as SystemError {
      throw AudioError.readFailed(file.name, error)
    }
  }

  private init(_ child: ChildProcess, _ side: SidePipe, _ frames: PCMReader) {
    self.child = child
    self.side = side
    self.frames = frames
  }

  func read(maxFrames: Int) async throws -> FrameRead? {
    guard !isAtEnd else { return nil }
    do {
      if let read = try await frames.read(maxFrames: maxFrames) { return read }
    } catch is PipeStalled {
      isAtEnd = true
      _ = child.stop()
      throw AudioError(.readFailed, "the ffmpeg program stopped in the middle; convert the file to WAV")
    } catch {
      isAtEnd = !(error is CancellationError)
      _ = child.stop()
      throw error
    }
    isAtEnd = true
    try side.drainToEnd()
    return child.stop() == true && side.bytes.isEmpty ? nil : .notice(Self.damage)
  }

  private static let damage = AudioNotice(.damagedAudio, "the file is damaged; what could be read of it was taken")

  private static func start(_ file: AudioFile, _ tool: FFmpegTool) throws(AudioError) -> ChildProcess {
    do throws(SystemError) {
      return try ChildProcess(
        path: tool.path, arguments: FFmpegCommand.arguments, environment: FFmpegCommand.environment,
        input: file.descriptor)
    } catch {
      if error.isNoProgram { throw FFmpegTool.missing(file.name) }
      throw FFmpegTool.notStarted(file.name, error)
    }
  }

  /// Reads the header of the WAV that the program writes.
  private nonisolated(nonsending) static func header(_ bytes: PipeBytes, _ file: AudioFile) async throws -> PCMReader {
    var parser = WAVHeaderParser()
    while true {
      let piece = try await bytes.read(maxBytes: 4_096)
      guard !piece.isEmpty else { throw file.notAudio("it is damaged, or of a kind that nothing here can read") }
      let (outcome, used) = parser.consume(piece[...])
      switch outcome {
      case .more: continue
      case .header(let header):
        let rest = PeekedBytes(front: piece[used...], rest: bytes)
        return PCMReader(rest, raw: header.raw, extent: .toTheEnd)
      case .needsDecoder, .invalid: throw file.notAudio("the ffmpeg program turned it into nothing that can be read")
      }
    }
  }
}
