import AuricleResampling
/// One thing that reading files needs, and whether it is there.
public struct MediaCheck: Sendable, Equatable {
  /// What was looked at.
  public let name: String
  /// Whether every file needs it; without the others some kinds of files do not open.
  public let isNeeded: Bool
  /// Whether it is there.
  public let isOK: Bool
  /// Which version it is or where, or what its lack means; a single line.
  public let detail: String
  /// The command that mends it; `nil` when there is nothing to mend.
  public let remedy: String?

  /// Looks at the decoders, the resampler and the `ffmpeg` program.
  /// - Parameter environment: The environment of the process; the program is looked for in its `PATH`.
  public static func all(environment: [String: String]) -> [MediaCheck] {
    [
      library("libsndfile", SndFileHandle.libraryVersion), library("libmpg123", MPEGHandle.libraryVersion),
      library("soxr", Resampler.libraryVersion), ffmpeg(FFmpegTool.installed(searchPath: environment["PATH"])),
    ]
  }

  /// A program does not start without the libraries, so only their versions are of interest.
  private static func library(_ name: String, _ version: String) -> MediaCheck {
    MediaCheck(name: name, isNeeded: true, isOK: true, detail: version, remedy: nil)
  }

  private static func ffmpeg(_ tool: FFmpegTool?) -> MediaCheck {
    let lack = "not found; M4A and video files do not open"
    return MediaCheck(
      name: "ffmpeg program", isNeeded: false, isOK: tool != nil, detail: tool?.path ?? lack,
      remedy: tool == nil ? FFmpegTool.installCommand : nil)
  }
}
