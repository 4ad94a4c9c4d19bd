import CSndFile
import CSoxr
import Foundation

/// The checks of the machine: programs, cores, folders.
enum MachineChecks {
  /// All of them.
  static func all(_ request: DoctorRequest) -> [DoctorCheck] {
    [soundFiles, resampler, ffmpeg(request.environment), cores, dataFolder(request.environment)]
  }

  /// The program does not start without the libraries, so only their versions are of interest.
  private static var soundFiles: DoctorCheck {
    DoctorCheck("libsndfile") { .found(String(cString: sf_version_string())) }
  }

  private static var resampler: DoctorCheck {
    DoctorCheck("soxr") { .found(String(cString: soxr_version())) }
  }

  private static func ffmpeg(_ environment: [String: String]) -> DoctorCheck {
    DoctorCheck("ffmpeg program", isNeeded: false) {
      let folders = environment["PATH", default: ""].split(separator: ":").map(String.init)
      let paths = folders.map { $0 + "/ffmpeg" }
      let path = paths.first { path in
        if case .file = SystemCalls.kind(path) { SystemCalls.isAllowed(path, X_OK) } else { false }
      }
      if let path { return .found(path) }
      return .missing("not found; M4A and video files do not open", mend: install("ffmpeg"))
    }
  }

  private static var cores: DoctorCheck {
    DoctorCheck("processor cores") { .found("\(ProcessInfo.processInfo.activeProcessorCount)") }
  }

  private static func dataFolder(_ environment: [String: String]) -> DoctorCheck {
    DoctorCheck("data folder") {
      guard let path = DataFolder.path(environment) else {
        return .missing("neither XDG_DATA_HOME nor HOME is set", mend: "export HOME=…")
      }
      let existing = nearestExisting(path)
      guard SystemCalls.kind(existing) == .folder else {
        return .missing("\(existing) is no folder", mend: "rm \(existing)")
      }
      guard SystemCalls.isAllowed(existing, W_OK | X_OK) else {
        return .missing("\(existing) is not writable", mend: "chmod u+rwx \(existing)")
      }
      return .found(path)
    }
  }

  private static func nearestExisting(_ path: String) -> String {
    var url = URL(fileURLWithPath: path)
    while SystemCalls.kind(url.path) == nil, url.path != "/" { url.deleteLastPathComponent() }
    return url.path
  }

  /// The command that installs a Debian or Homebrew package.
  static func install(_ package: String) -> String {
    #if os(macOS)
      "brew install \(package)"
    #else
      "sudo apt-get install \(package)"
    #endif
  }
}

/// The user's folder for data of this program.
enum DataFolder {
  /// The path; `nil` when the environment does not say. It need not exist.
  static func path(_ environment: [String: String]) -> String? {
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/auricle" }
    guard let home = environment["HOME"], !home.isEmpty else { return nil }
    #if os(macOS)
      return home + "/Library/Application Support/auricle"
    #else
      return home + "/.local/share/auricle"
    #endif
  }
}
