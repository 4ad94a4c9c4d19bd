import AuricleAudio

/// Reads what the `ffmpeg` program decodes.
enum FFmpegReader {
  nonisolated(nonsending) static func open(_ file: AudioFile, tool: FFmpegTool) async throws -> any FrameReader {
    throw file.notAudio("not yet")
  }
}
