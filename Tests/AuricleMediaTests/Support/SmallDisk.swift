import Foundation

/// A disk in memory with little room, which only root can make.
final class SmallDisk: Sendable {
  static let isPossible = (try? SmallDisk(byteCount: 65_536)) != nil

  private let folder: TemporaryFolder
  var path: String { folder.path }

  init(byteCount: Int) throws {
    folder = try TemporaryFolder()
    guard try Self.run("mount", "-t", "tmpfs", "-o", "size=\(byteCount)", "tmpfs", folder.path) else {
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  deinit { _ = try? Self.run("umount", "-l", folder.path) }

  private static func run(_ command: String...) throws -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
