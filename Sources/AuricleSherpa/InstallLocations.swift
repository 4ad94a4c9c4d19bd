import Foundation

/// Where the engine and its models may be installed, in the order in which they are looked for.
struct InstallLocations: Sendable {
  /// The folders that hold `sherpa-onnx` and `models`.
  let roots: [String]

  /// The checkout that the program was built in, then the user's data folder.
  init(environment: [String: String]) {
    roots = [Self.checkout + "/.deps", Self.dataFolder(environment)]
  }

  /// The user's data folder: `$XDG_DATA_HOME/auricle`, by default `~/.local/share/auricle`.
  static func dataFolder(_ environment: [String: String]) -> String {
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/auricle" }
    return (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share/auricle"
  }

  /// The first root in which a path exists.
  func first(_ relativePath: String) -> String? {
    roots.map { $0 + "/" + relativePath }.first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The checkout of the sources that were compiled: `Sources/AuricleSherpa/<this file>` lies in it.
  private static let checkout: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.path
  }()
}
