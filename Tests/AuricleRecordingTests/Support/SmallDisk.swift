import Foundation

/// A disk in memory with little room, which only root can make.
final class SmallDisk: Sendable {
  static let isPossible = (try? SmallDisk(byteCount: 65_536)) != nil

  private let folder: TemporaryFolder
  var path: String { folder.path }

  init(byteCount: Int) throws {
    folder = try TemporaryFolder()
    try Self.run("mount", "-t", "tmpfs", "-o", "size=\(byteCount)", "tmpfs", folder.path)
  }

  deinit { try? Self.run("umount", "-l", folder.path) }

  func makeReadOnly() throws { try Self.run("mount", "-o", "remount,ro", folder.path) }

  private static func run(_ command: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteNoPermission) }
  }
}
