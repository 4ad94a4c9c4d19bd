import Foundation
import Testing

@testable import AuricleRecording

@Suite(.timeLimit(.minutes(2))) struct JournalTests {
  private let temporary: TemporaryFolder
  private var path: String { temporary.path + "/.journal.jsonl" }
  init() throws { temporary = try TemporaryFolder() }

  @Test("Lines come back in order, while it is written and after")
  func lines() throws {
    let lines = ["{\"a\":1}", "", "größer"]
    let journal = try Journal(creating: path)
    for (index, line) in lines.enumerated() {
      try journal.append(line)
      #expect(try Journal.read(path) == Array(lines[...index]))
    }
    try journal.sync()
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    try journal.remove()
    try journal.remove()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("It is never overwritten, and nothing else is left in the folder")
  func exists() throws {
    _ = try Journal(creating: path)
    let error = #expect(throws: RecordingError.self) { try Journal(creating: path) }
    #expect(error?.kind == .exists)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [".journal.jsonl"])
  }

  @Test("It is locked as long as somebody holds it")
  func lock() throws {
    #expect(!Journal.isLocked(path))
    var journal: Journal? = try Journal(creating: path)
    #expect(Journal.isLocked(path))
    let error = #expect(throws: RecordingError.self) { try Journal(reopening: path) }
    #expect(error?.kind == .inUse)
    try journal?.append("one")
    journal = nil
    #expect(!Journal.isLocked(path))
    let again = try Journal(reopening: path)
    #expect(Journal.isLocked(path))
    try again.append("two")
    #expect(try Journal.read(path) == ["one", "two"])
  }

  @Test("A torn last line is no line, and what is added later is not joined to it")
  func torn() throws {
    for torn in ["{\"half", String(repeating: "x", count: 200_000)] {
      try? FileManager.default.removeItem(atPath: path)
      _ = try temporary.file(".journal.jsonl", Array(("one\n" + torn).utf8))
      #expect(try Journal.read(path) == ["one"])
      try Journal(reopening: path).append("two")
      #expect(try Journal.read(path) == ["one", "two"])
    }
  }

  @Test("A line that finds no room leaves no trace")
  func noRoom() throws {
    let faults = Faults()
    let journal = try Journal(creating: path, calls: faults.calls)
    try journal.append("one")
    faults.plan = [.short(2), .interrupted, .short(1), .fail(ENOSPC)]
    let error = #expect(throws: RecordingError.self) { try journal.append("two and more") }
    #expect(error?.kind == .storageFull && error?.platformCode == Int(ENOSPC))
    try journal.append("three")
    #expect(try Journal.read(path) == ["one", "three"])
  }

  @Test("Short writes and signals cost nothing")
  func shortWrites() throws {
    let faults = Faults()
    let journal = try Journal(creating: path, calls: faults.calls)
    faults.plan = [.interrupted, .short(1), .interrupted, .interrupted, .short(3)]
    try journal.append("a whole line")
    #expect(try Journal.read(path) == ["a whole line"])
  }

  @Test("Whatever stands in the file, it is lines")
  func anyDamage() throws {
    for seed in 0..<Fuzz.iterations {
      var random = SeededRandom(seed)
      let bytes = (0..<Int.random(in: 0...2_000, using: &random)).map { _ in
        Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : 10
      }
      try? FileManager.default.removeItem(atPath: path)
      _ = try temporary.file(".journal.jsonl", bytes)
      let lines = try Journal.read(path)
      #expect(lines.count == bytes.count { $0 == 10 } && !lines.contains { $0.contains("\n") })
      try Journal(reopening: path).append("end")
      #expect(try Journal.read(path).last == "end")
    }
    #expect(throws: RecordingError.self) { try Journal.read(temporary.path) }
    #expect(throws: RecordingError.self) { try Journal.read(temporary.path + "/none") }
  }
}
