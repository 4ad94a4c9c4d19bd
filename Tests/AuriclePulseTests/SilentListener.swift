import Foundation

/// A server's address at which nobody ever answers.
final class SilentListener: Sendable {
  let address: String
  private let path: String
  private let descriptor: Int32

  init() throws {
    path = "/tmp/auricle-silent-\(UUID().uuidString.prefix(13))"
    address = "unix:\(path)"
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard descriptor >= 0, bound == 0, listen(descriptor, 64) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  deinit {
    close(descriptor)
    unlink(path)
  }
}
