import AuricleAudio

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The `ffmpeg` program, which reads what the libraries do not know.
public struct FFmpegTool: Sendable, Equatable {
  /// Where the program is.
  public let path: String

  /// Names a program.
  public init(path: String) { self.path = path }

  /// Looks for the program in the folders of `PATH`; `nil` if it is in none of them.
  public static func installed() -> FFmpegTool? {
    let folders = environmentVariable("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    let paths = folders.split(separator: ":").map { "\($0)/ffmpeg" }
    return paths.first { access($0, X_OK) == 0 }.map { FFmpegTool(path: $0) }
  }

  /// Says what to install.
  static func missing(_ name: String) -> AudioError {
    AudioError(
      .missingTool, "\(name) needs the ffmpeg program; install it with: sudo apt-get install ffmpeg")
  }
}
