import AuricleAudio
import Foundation
import Testing

@testable import AuricleRecording

@Suite("What was recorded, destroyed", .timeLimit(.minutes(5)))
struct DestructionTests {
  private static let formats: [RecordingFormat] = [.wav, .flac, .opus]

  @Test("Audio and transcripts are gone, what else is there stays, and again is nothing", arguments: formats)
  func gone(_ format: RecordingFormat) throws {
    let making = try Making(format, keepsSpool: true)
    try making.append(Sounds.tone(32_000, rate: 16_000))
    try making.recorder.finish()
    let folder = making.recorder.folder
    let texts = [folder.transcriptPath("txt"), folder.transcriptPath("srt"), folder.reportPath]
    for path in texts + texts.map({ $0 + ".part" }) {
      try Data("words".utf8).write(to: URL(fileURLWithPath: path))
    }
    try folder.destroyRecording()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["report.json"])
    try folder.destroyRecording()
  }

  @Test("The bytes are overwritten before the name goes, and other names lead to nothing")
  func overwritten() throws {
    let making = try Making(.wav, keepsSpool: false)
    try making.append(Sounds.tone(100_000, rate: 16_000))
    try making.recorder.finish()
    let system = ChangingCalls.system
    let stuck = ChangingCalls(write: system.write, resize: { _, _ in -Int(EIO) }, sync: system.sync)
    let error = #expect(throws: RecordingError.self) { try RecordingFolder.destroyFile(making.path, calls: stuck) }
    #expect(error?.platformCode == Int(EIO))
    let left = try Data(contentsOf: URL(fileURLWithPath: making.path))
    #expect(left.count == 200_080 && left.allSatisfy { $0 == 0 })
    let other = making.path + ".other"
    try FileManager.default.linkItem(atPath: making.path, toPath: other)
    try RecordingFolder.destroyFile(making.path)
    #expect(!FileManager.default.fileExists(atPath: making.path))
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)).isEmpty)
  }

  @Test("A full disk that has no room for what was a hole costs nothing: what lies behind it is overwritten, and goes")
  func holesOnFullDisk() throws {
    let making = try Making(.wav, keepsSpool: false)
    try making.append(Sounds.tone(100_000, rate: 16_000))
    try making.recorder.finish()
    let system = ChangingCalls.system
    func calls(resize: @escaping @Sendable (Int32, Int64) -> Int) -> ChangingCalls {
      ChangingCalls(
        write: { $2 == 1 << 16 ? -Int(ENOSPC) : system.write($0, $1, $2) }, resize: resize, sync: system.sync)
    }
    #expect(throws: RecordingError.self) {
      try RecordingFolder.destroyFile(making.path, calls: calls { _, _ in -Int(EIO) })
    }
    let left = try Data(contentsOf: URL(fileURLWithPath: making.path))
    #expect(left.prefix(1 << 16).allSatisfy { $0 == 0 } && left.dropFirst(2 << 16).allSatisfy { $0 == 0 })
    try RecordingFolder.destroyFile(making.path, calls: calls(resize: system.resize))
    #expect(!FileManager.default.fileExists(atPath: making.path))
  }

  @Test("A disk that does not take it says so, and the other files are destroyed all the same")
  func failing() throws {
    let making = try Making(.wav, keepsSpool: false)
    try making.recorder.finish()
    let folder = making.recorder.folder
    try FileManager.default.createDirectory(atPath: folder.transcriptPath("txt"), withIntermediateDirectories: false)
    #expect(throws: RecordingError.self) { try folder.destroyRecording() }
    #expect(!FileManager.default.fileExists(atPath: making.path))
  }
}
