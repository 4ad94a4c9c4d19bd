import AuricleMedia
import Foundation

/// The checks of the machine: libraries and programs, cores, folders.
enum MachineChecks {
  /// All of them.
  static func all(_ request: DoctorRequest) -> [DoctorCheck] {
    media(request.environment) + [cores, dataFolder(request.environment)]
  }

  private static func media(_ environment: [String: String]) -> [DoctorCheck] {
    MediaCheck.all(environment: environment).map { check in
      DoctorCheck(check.name, isNeeded: check.isNeeded) {
        check.isOK ? .found(check.detail) : .missing(check.detail, mend: check.remedy ?? "")
      }
    }
  }

  private static var cores: DoctorCheck {
    DoctorCheck("processor cores") { .found("\(ProcessInfo.processInfo.activeProcessorCount)") }
  }

  /// A second place for models, beside the checkout's own: transcribing can do without.
  private static func dataFolder(_ environment: [String: String]) -> DoctorCheck {
    DoctorCheck("data folder", isNeeded: false) {
      let mend = "export XDG_DATA_HOME to a folder that can be written"
      guard let path = DataFolder.path(environment) else {
        return .missing("neither XDG_DATA_HOME nor HOME is set; models are looked for in the checkout only", mend: mend)
      }
      let existing = nearestExisting(path)
      guard SystemCalls.kind(existing) == .folder else { return .missing("\(existing) is no folder", mend: mend) }
      guard SystemCalls.isAllowed(existing, W_OK | X_OK) else {
        return .missing("\(existing) is not writable", mend: mend)
      }
      return .found(path)
    }
  }

  private static func nearestExisting(_ path: String) -> String {
    var url = URL(fileURLWithPath: path)
    while SystemCalls.kind(url.path) == nil, url.path != "/" { url.deleteLastPathComponent() }
    return url.path
  }
}

/// The user's folder for data of this program.
enum DataFolder {
  /// The path; `nil` when the environment does not say. It need not exist.
  static func path(_ environment: [String: String]) -> String? {
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/auricle" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    #if os(macOS)
      return home + "/Library/Application Support/auricle"
    #else
      return home + "/.local/share/auricle"
    #endif
  }
}
