import Foundation

/// The real recordings, which lie beside the checkout and are not part of it.
enum Recordings {
  /// Their folder: `AURICLE_AUDIO`, else `../shared/audio` from the checkout's root.
  static let folder: String = {
    if let named = ProcessInfo.processInfo.environment["AURICLE_AUDIO"] { return named }
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    return root.appending(path: "../shared/audio").standardizedFileURL.path
  }()

  /// Whether they are here; tests that need them are skipped where they are not.
  static let areHere = FileManager.default.fileExists(atPath: folder + "/broken")

  static func path(_ name: String) -> String { folder + "/" + name }

  static func names(in part: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + part)) ?? []).sorted()
      .map { part + "/" + $0 }
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path(name))))
  }
}
