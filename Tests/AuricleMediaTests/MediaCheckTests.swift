import Foundation
import Testing

@testable import AuricleMedia

@Suite struct MediaCheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var ffmpeg: MediaCheck? { MediaCheck.all(environment: ["PATH": "/nowhere:\(folder.path)"]).last }

  @Test("The libraries are named with their versions")
  func libraries() {
    let checks = MediaCheck.all(environment: [:]).dropLast()
    #expect(checks.map(\.name) == ["libsndfile", "libmpg123", "soxr"])
    #expect(checks.allSatisfy { $0.isOK && $0.isNeeded && $0.remedy == nil && $0.detail.contains(where: \.isNumber) })
  }

  @Test("A folder called ffmpeg is no program, nor is a file that may not be run")
  func notPrograms() throws {
    #expect(ffmpeg?.isOK == false && ffmpeg?.isNeeded == false && ffmpeg?.remedy == FFmpegTool.installCommand)
    let path = folder.path + "/ffmpeg"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(ffmpeg?.isOK == false)
    try FileManager.default.removeItem(atPath: path)
    _ = try folder.file("ffmpeg", Array("#!/bin/sh\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(ffmpeg?.isOK == false)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    #expect(ffmpeg?.isOK == true && ffmpeg?.detail == path)
  }

  @Test("Without a search path the usual folders are searched", arguments: [nil, ""])
  func usualFolders(searchPath: String?) {
    #expect(
      FFmpegTool.installed(searchPath: searchPath) == FFmpegTool.installed(searchPath: "/usr/local/bin:/usr/bin:/bin"))
  }
}
