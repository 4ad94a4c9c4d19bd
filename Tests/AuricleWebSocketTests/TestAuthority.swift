import AuricleWebSocket
import Foundation

/// An authority of the test's own, and the certificates that it signs. Made with the `openssl` program.
final class TestAuthority: Sendable {
  struct Failure: Error { let said: String }

  let folder: URL
  /// The authority's certificate.
  var path: String { folder.appendingPathComponent("authority.pem").path }

  private static let made = Result { try TestAuthority() }

  /// One for all tests of the process.
  static func shared() throws -> TestAuthority { try made.get() }

  private static let madeIdentity = Result { try shared().identity() }

  /// A certificate for this machine, one for all tests. Foundation keeps descriptors of the programs that it starts.
  static func sharedIdentity() throws -> WebSocketServerConfiguration.Identity { try madeIdentity.get() }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("auricle-ws-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30", "-subj",
      "/CN=Test authority", "-keyout", "authority.key", "-out", "authority.pem")
  }

  /// A certificate for names and numbers, such as `DNS:localhost`.
  func identity(
    for names: String = "DNS:localhost,IP:127.0.0.1,IP:::1,DNS:speech.example"
  ) throws -> WebSocketServerConfiguration.Identity {
    let name = UUID().uuidString
    try openssl(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=server",
      "-keyout", "\(name).key", "-out", "\(name).csr")
    try Data("subjectAltName=\(names)\n".utf8).write(to: folder.appendingPathComponent("\(name).ext"))
    try openssl(
      "x509", "-req", "-in", "\(name).csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
      "-days", "30", "-extfile", "\(name).ext", "-out", "\(name).pem")
    return .init(
      certificatePath: folder.appendingPathComponent("\(name).pem").path,
      keyPath: folder.appendingPathComponent("\(name).key").path)
  }

  private func openssl(_ arguments: String...) throws {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(said: String(decoding: said, as: UTF8.self)) }
  }
}
