import Foundation
import Testing

@testable import AuricleCLI

@Suite(
  "The built program", .enabled(if: program != nil, "the program is not built: swift build"), .timeLimit(.minutes(2)))
struct EndToEndTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("Help and version are 0, on standard output")
  func help() async throws {
    for words in [["--help"], ["transcribe", "--help"], ["doctor", "-h"], ["--version"]] {
      let run = try await Run.of(words)
      #expect(run.code == 0 && !run.output.isEmpty && run.talk.isEmpty)
    }
  }

  @Test("A wrong command line is 64 and one line")
  func usage() async throws {
    for words in [[], ["transcribe"], ["transcribe", "a", "--formt=x"], ["transcribe", "a", "--language=en_US"]] {
      let run = try await Run.of(words)
      #expect(run.code == 64 && run.output.isEmpty && run.talk.filter(\.isNewline).count == 1)
      #expect(run.talk.hasPrefix("auricle: "))
    }
  }

  @Test("No such file and a folder are 66, an empty file and text are 65")
  func inputs() async throws {
    try folder.write("", to: "empty.wav")
    try folder.write("These are words and no sound.\n", to: "words.wav")
    for (path, code) in [("none", 66), (".", 66), ("empty.wav", 65), ("words.wav", 65)] as [(String, Int32)] {
      let run = try await Run.of(["transcribe", "\(folder.path)/\(path)"])
      #expect(run.code == code, "\(path): \(run.talk)")
      #expect(run.output.isEmpty && run.talk.filter(\.isNewline).count == 1)
    }
  }

  @Test("An unreadable file is 66", .enabled(if: geteuid() != 0, "the superuser may read everything"))
  func unreadable() async throws {
    try folder.write("x", to: "a.wav")
    chmod("\(folder.path)/a.wav", 0)
    #expect(try await Run.of(["transcribe", "\(folder.path)/a.wav"]).code == 66)
  }

  @Test("JSON lines end with a finish also when there is nothing to open")
  func lines() async throws {
    let run = try await Run.of(["transcribe", "\(folder.path)/none", "--format=jsonl"])
    let types = run.output.split(separator: "\n").compactMap { LineProbe(String($0))?.type }
    #expect(run.code == 66 && types == ["error", "finish"])
  }

  @Test("A full disk behind standard output is 74", .enabled(if: SystemCalls.kind("/dev/full") != nil))
  func fullOutput() async throws {
    let run = try await Run.of(["--help"], redirection: ">/dev/full")
    #expect(run.code == 74 && run.talk == "auricle: cannot write to standard output: the disk is full\n")
  }

  @Test("A closed standard output is 74, a closed standard error harms nothing")
  func closed() async throws {
    #expect(try await Run.of(["--help"], redirection: ">&-").code == 74)
    #expect(try await Run.of(["transcribe", "\(folder.path)/none"], redirection: "2>&-").code == 66)
    #expect(try await Run.of(["transcribe", "-"], redirection: "<&-").code == 74)
  }

  @Test("A reader that goes away ends it quietly with 0")
  func readerGone() async throws {
    let run = try await Run.of(["--help"], redirection: "| true; exit ${PIPESTATUS[0]}")
    #expect(run.code == 0 && run.talk.isEmpty)
  }

  @Test("doctor ends with 0 or 69 and a table")
  func doctor() async throws {
    let run = try await Run.of(["doctor"])
    #expect([0, 69].contains(run.code) && run.output.contains("libsndfile"))
    #expect(try await Run.of(["doctor", "--json"]).output.hasPrefix("{"))
  }

  @Test(
    "SIGINT, SIGTERM and SIGHUP while it waits for standard input are 130, with a finish",
    .enabled(if: SystemCalls.kind("/proc/self/status") != nil, "needs /proc"), arguments: ["INT", "TERM", "HUP"])
  func signals(name: String) async throws {
    // The pipe stays open for writing, so the program waits for a header that never comes. SIGINT, SIGTERM and SIGHUP are
    // caught once the last digit of the mask has the bits of the first and the last of them.
    let script = """
      set -m; mkfifo "$2/pipe"; exec 7<>"$2/pipe"
      "$1" transcribe - --format jsonl <&7 & child=$!
      until grep -q auricle /proc/$child/comm && grep -q 'SigCgt:.*[37bf]$' /proc/$child/status; do :; done
      kill -\(name) $child; wait $child
      """
    let run = try await Run.of(script: script, folder.path)
    #expect(run.code == 130)
    #expect(LineProbe(run.output)?.type == "finish")
  }
}

@Suite(
  "The built program and the model", .enabled(if: program != nil && SystemCalls.kind(sample) != nil, "run make setup"),
  .timeLimit(.minutes(5)))
struct ModelTests {
  @Test("The sample is transcribed; without a model that is 69")
  func sampleText() async throws {
    let run = try await Run.of(["transcribe", sample])
    guard try await Run.of(["doctor"]).code == 0 else {
      #expect(run.code == 69 && run.output.isEmpty)
      return
    }
    #expect(run.code == 0 && run.output.lowercased().contains("fail"))
  }
}

/// One run of the program through bash.
private struct Run: Sendable {
  let code: Int32
  let output: String
  let talk: String

  static func of(_ words: [String], redirection: String = "") async throws -> Run {
    try await of(script: "\"$1\" \"${@:3}\" \(redirection)", "", words)
  }

  /// - Parameter script: Has the program as `$1`, a folder as `$2`, words behind.
  static func of(script: String, _ folder: String, _ words: [String] = []) async throws -> Run {
    let arguments = ["-c", script, "bash", try #require(program), folder] + words
    // A thread of its own waits, since those of the tests are few.
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try run(arguments) }) }
    }
  }

  private static func run(_ arguments: [String]) throws -> Run {
    let process = Process()
    let (output, talk) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = talk
    try process.run()
    // What is said is short, so the pipes can be read one after the other.
    let texts = [output, talk].map { String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
    process.waitUntilExit()
    return Run(code: process.terminationStatus, output: texts[0], talk: texts[1])
  }
}
