import Foundation

/// A folder that is gone when the test is.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "auricle-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Makes a folder in it.
  @discardableResult
  func folder(_ name: String) throws -> String {
    let place = path + "/" + name
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    return place
  }

  /// Writes a file and says where it is.
  @discardableResult
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let place = path + "/" + name
    try Data(bytes).write(to: URL(filePath: place))
    return place
  }

  /// Writes a text and says where it is.
  @discardableResult
  func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

  /// Writes a shell script that can be run.
  func script(_ name: String, _ body: String) throws -> String {
    let place = try file(name, "#!/bin/sh\n" + body + "\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place)
    return place
  }

  /// Links or copies all files of a folder into a new one, so that some can be replaced.
  func imitation(of original: String, as name: String) throws -> String {
    let copy = try folder(name)
    for file in try FileManager.default.contentsOfDirectory(atPath: original) {
      try FileManager.default.createSymbolicLink(
        atPath: copy + "/" + file, withDestinationPath: original + "/" + file)
    }
    return copy
  }

  /// Puts other bytes in the place of a file, or none at all.
  func replace(_ name: String, with bytes: [UInt8]?) throws {
    try FileManager.default.removeItem(atPath: path + "/" + name)
    if let bytes { try file(name, bytes) }
  }
}
