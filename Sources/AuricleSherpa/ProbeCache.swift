import Foundation

/// Which models were tried and found good: a file in the user's cache folder.
///
/// A file that is damaged counts as empty, and one that cannot be written is not: then models are tried again.
struct ProbeCache: Sendable {
  private struct Content: Codable {
    var version = Self.currentVersion
    /// The fingerprint of each folder.
    var models: [String: String] = [:]

    static let currentVersion = 1
  }

  private static let maximumSize = 1 << 20
  private static let maximumModels = 100

  /// The file; `nil` remembers nothing.
  let path: String?

  /// The file in the user's cache folder.
  init(environment: [String: String]) {
    self.init(path: InstallLocations.cacheFolder(environment).map { $0 + "/models.json" })
  }

  init(path: String?) { self.path = path }

  /// Whether the model was found good as it is.
  func holds(_ fingerprint: ModelFingerprint, of folder: ModelFolder) -> Bool {
    read().models[folder.path] == fingerprint.text
  }

  /// Remembers that the model is good.
  func remember(_ fingerprint: ModelFingerprint, of folder: ModelFolder) {
    var content = read()
    if content.models.count >= Self.maximumModels { content.models = [:] }
    content.models[folder.path] = fingerprint.text
    guard let path, let bytes = try? JSONEncoder().encode(content) else { return }
    let file = URL(fileURLWithPath: path)
    try? FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? bytes.write(to: file, options: .atomic)
  }

  private func read() -> Content {
    guard let path, FolderListing.isFolder(path) == false, let file = FileHandle(forReadingAtPath: path) else {
      return Content()
    }
    defer { try? file.close() }
    guard let bytes = try? file.read(upToCount: Self.maximumSize),
      let content = try? JSONDecoder().decode(Content.self, from: bytes), content.version == Content.currentVersion
    else { return Content() }
    return content
  }
}
