import Foundation
import Testing

@testable import AuricleCLI

@Suite("Files that are there whole or not at all")
struct AtomicFileTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("Nothing is in the place before the commit, everything after it")
  func commits() throws {
    let file = try AtomicFile(path: "\(folder.path)/a")
    try file.write(Array("one".utf8))
    #expect(!folder.names.contains("a"))
    try file.write(Array("two".utf8))
    try file.commit()
    try file.commit()
    file.discard()
    #expect(try folder.read("a") == "onetwo" && folder.names == ["a"])
  }

  @Test("Discarded, or just dropped, it leaves the old file and nothing else")
  func discards() throws {
    try folder.write("old", to: "a")
    do {
      let file = try AtomicFile(path: "\(folder.path)/a")
      try file.write(Array("new".utf8))
      file.discard()
      try file.write(Array("more".utf8))
    }
    _ = try AtomicFile(path: "\(folder.path)/a")
    #expect(try folder.read("a") == "old" && folder.names == ["a"])
  }

  @Test("A pipe that nobody reads is refused at once", .timeLimit(.minutes(5)))
  func unreadPipe() throws {
    #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
    #expect(throws: OutputError.self) { try AtomicFile(path: "\(folder.path)/pipe") }
  }

  @Test("The mode of a file that is replaced stays, and a link stays a link")
  func keeps() throws {
    try folder.write("old", to: "a")
    chmod("\(folder.path)/a", 0o640)
    symlink("\(folder.path)/a", "\(folder.path)/link")
    let file = try AtomicFile(path: "\(folder.path)/link")
    try file.write(Array("new".utf8))
    try file.commit()
    #expect(try folder.read("a") == "new" && SystemCalls.kind("\(folder.path)/a") == .file(mode: 0o640))
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/link")) == "\(folder.path)/a")
  }

  @Test("Devices are written to as they are, and stay")
  func devices() throws {
    let file = try AtomicFile(path: "/dev/null")
    try file.write([1, 2, 3])
    try file.commit()
    #expect(SystemCalls.kind("/dev/null") == .other)
  }

  @Test("A folder is refused, and so is a place in none")
  func refused() throws {
    #expect(throws: OutputError.self) { try AtomicFile(path: folder.path) }
    #expect(throws: OutputError.self) { try AtomicFile(path: "\(folder.path)/none/a") }
  }

  @Test("A relative path means the working folder")
  func relative() throws {
    let file = try AtomicFile(path: "auricle-test-\(UUID().uuidString)")
    file.discard()
  }

  @Test("A full disk leaves the old file", .enabled(if: geteuid() == 0, "only the superuser can mount a small disk"))
  func fullDisk() throws {
    // Containers may forbid it.
    guard run("/bin/mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.path]) else { return }
    defer { run("/bin/umount", [folder.path]) }
    try folder.write("old", to: "a")
    let file = try AtomicFile(path: "\(folder.path)/a")
    let error = #expect(throws: OutputError.self) {
      try file.write([UInt8](repeating: 0, count: 1_000_000))
      try file.commit()
    }
    #expect(error?.message == "cannot write \(folder.path)/a: the disk is full")
    #expect(try folder.read("a") == "old" && folder.names == ["a"])
  }

  @discardableResult
  private func run(_ program: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  @Test(
    "Everything is written through a narrow pipe whose reader is slow, also when it does not block",
    arguments: [0, O_NONBLOCK])
  func shortWrites(flags: Int32) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    _ = fcntl(writer, F_SETFL, flags)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let thread = Thread {
      _ = SystemCalls.writeAll(writer, bytes)
      close(writer)
    }
    thread.start()
    var read: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1_000)
    while case let count = Foundation.read(reader, &buffer, buffer.count), count > 0 { read += buffer.prefix(count) }
    close(reader)
    #expect(read == bytes)
  }
}
