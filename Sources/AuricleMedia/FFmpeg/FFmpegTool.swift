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

  /// Where programs are looked for when nobody says.
  private static let usualFolders = "/usr/local/bin:/usr/bin:/bin"

  /// Looks for the program in the folders of the process's `PATH`; `nil` if it is in none of them.
  public static func installed() -> FFmpegTool? {
    installed(searchPath: environmentVariable("PATH"))
  }

  /// Looks for the program; `nil` if it is in none of the folders.
  /// - Parameter searchPath: Folders with colons between them; `nil` or empty takes the usual ones.
  public static func installed(searchPath: String?) -> FFmpegTool? {
    let folders = searchPath.flatMap { $0.isEmpty ? nil : $0 } ?? usualFolders
    let paths = folders.split(separator: ":").map { "\($0)/ffmpeg" }
    return paths.first(where: isProgram).map { FFmpegTool(path: $0) }
  }

  /// A file that may be run; folders may be run, too.
  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    return access(path, X_OK) == 0
  }

  /// The command that installs it.
  static let installCommand: String = {
    #if os(macOS)
      "brew install ffmpeg"
    #else
      "sudo apt-get install ffmpeg"
    #endif
  }()

  /// Says what to install.
  static func missing(_ name: String) -> AudioError {
    AudioError(.missingTool, "\(name): reading it needs the ffmpeg program; install it with: \(installCommand)")
  }

  /// The program is there, and the system does not start it.
  static func notStarted(_ name: String, _ error: SystemError) -> AudioError {
    AudioError(
      .readFailed, "\(name): the ffmpeg program does not start: \(error.words)", platformCode: Int(error.code))
  }
}
