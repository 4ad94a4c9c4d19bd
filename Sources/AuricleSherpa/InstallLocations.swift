import Foundation

/// Where the engine and its models may be installed, in the order in which they are looked for.
struct InstallLocations: Sendable, Equatable {
  /// The checkout's `.deps`, made by setting up.
  let checkout: String
  /// The user's data folder; `nil` when the environment does not say.
  let dataFolder: String?

  /// The checkout that the program was built in, then the user's data folder.
  init(environment: [String: String], checkout: String = Self.builtCheckout + "/.deps") {
    self.checkout = checkout
    dataFolder = Self.userFolder("XDG_DATA_HOME", ".local/share", mac: "Library/Application Support", environment)
  }

  /// The folders that hold `sherpa-onnx` and `models`.
  var roots: [String] { [checkout] + (dataFolder.map { [$0] } ?? []) }

  /// The user's cache folder; `nil` when the environment does not say.
  static func cacheFolder(_ environment: [String: String]) -> String? {
    userFolder("XDG_CACHE_HOME", ".cache", mac: "Library/Caches", environment)
  }

  /// The first root in which a path exists.
  func first(_ relativePath: String) -> String? {
    roots.map { $0 + "/" + relativePath }.first { FileManager.default.fileExists(atPath: $0) }
  }

  private static func userFolder(
    _ variable: String, _ usual: String, mac: String, _ environment: [String: String]
  ) -> String? {
    if let named = environment[variable], named.hasPrefix("/") { return named + "/auricle" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    #if os(macOS)
      return home + "/" + mac + "/auricle"
    #else
      return home + "/" + usual + "/auricle"
    #endif
  }

  /// The checkout of the sources that were compiled: `Sources/AuricleSherpa/<this file>` lies in it.
  private static let builtCheckout: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.path
  }()
}
