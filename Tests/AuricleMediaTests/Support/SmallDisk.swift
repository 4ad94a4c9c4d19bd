import Foundation

@testable import AuricleMedia

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
    let child = try ChildProcess(
      path: "/usr/bin/env", arguments: command, environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
      input: FileDescriptor.open(readingAt: "/dev/null"))
    while try !child.output.read(maxBytes: 100).isEmpty {}
    return child.stop() == true
  }
}
