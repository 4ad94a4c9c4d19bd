import Foundation

/// A folder that is gone when the test is.
final class TemporaryFolder: Sendable {
  let path: String

  private static let memory = "/dev/shm"

  /// - Parameter isInMemory: Where the system has a folder in memory; hundreds of recordings call `fsync`.
  init(isInMemory: Bool = true) throws {
    let hasMemory = isInMemory && FileManager.default.isWritableFile(atPath: Self.memory)
    let place = hasMemory ? URL(filePath: Self.memory) : FileManager.default.temporaryDirectory
    path = place.appending(path: "auricle-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and says where it is.
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let place = path + "/" + name
    try Data(bytes).write(to: URL(filePath: place))
    return place
  }
}
