import AuricleMedia
import AuricleRecognition
import AuricleSession
import Foundation
import Testing

@testable import AuricleCLI

@Suite("What transcribe is asked")
struct TranscribeRequestTests {
  private func request(_ words: String...) throws(UsageError) -> TranscribeRequest {
    guard case .command(_, let arguments) = try ArgumentParser(commands: Commands.all).parse(["transcribe"] + words)
    else { throw UsageError("no command") }
    return try TranscribeRequest(arguments)
  }

  @Test("Without options: text to standard output, the model's own language, as fast as it goes")
  func defaults() throws {
    let plain = try request("a.wav", "-")
    #expect(plain.inputs == [.file("a.wav"), .standardInput])
    #expect(plain.format == .export(.text) && plain.output == nil && plain.language == nil && plain.model == nil)
    #expect(plain.threadCount == nil && !plain.isRealTime && plain.raw == nil)
  }

  @Test("All options")
  func all() throws {
    let full = try request(
      "-", "--format=jsonl", "--output=x", "--language=EN-gb", "--model=m", "--threads=64", "--realtime", "--raw",
      "--encoding=mulaw", "--rate=8000", "--channels=2")
    #expect(full.format == .jsonl && full.output == "x" && full.language == LanguageTag("en-GB"))
    #expect(full.model == "m" && full.threadCount == 64 && full.isRealTime)
    #expect(full.raw == (try RawFormat(encoding: .mulaw, sampleRate: 8_000, channelCount: 2)))
  }

  @Test("Raw audio without further words is 16-bit mono at 16 kHz")
  func raw() throws {
    #expect(try request("-", "--raw").raw == (try RawFormat(encoding: .s16le, sampleRate: 16_000, channelCount: 1)))
  }

  @Test("Formats by name", arguments: OutputFormat.names)
  func formats(name: String) throws {
    #expect(try request("a", "--format", name).format == OutputFormat(name: name))
  }

  @Test(
    "Errors say what to do",
    arguments: [
      (["--format=jsno"], "unknown format jsno; did you mean json?"),
      (["--format=pdf"], "unknown format pdf; there are text, json, md, srt, vtt, jsonl"),
      (["--format="], "unknown format ; there are text, json, md, srt, vtt, jsonl"),
      (["--language=en_US"], "malformed language tag en_US; write it like en, pt-BR or zh-Hant"),
      (["--language="], "malformed language tag ; write it like en, pt-BR or zh-Hant"),
      (["--language=auto"], "--language auto is no language; leave --language out and the model decides"),
      (["--threads=0"], "--threads must be a whole number from 1 to 64, not 0"),
      (["--threads=65"], "--threads must be a whole number from 1 to 64, not 65"),
      (["--threads=two"], "--threads must be a whole number from 1 to 64, not two"),
      (["--threads=1.5"], "--threads must be a whole number from 1 to 64, not 1.5"),
      (["--rate=8000"], "--rate describes headerless audio; add --raw, or leave --rate out"),
      (["--encoding=s16le"], "--encoding describes headerless audio; add --raw, or leave --encoding out"),
      (["--channels=1"], "--channels describes headerless audio; add --raw, or leave --channels out"),
      (["--raw", "--rate=999"], "--rate must be a whole number from 1000 to 768000, not 999"),
      (["--raw", "--channels=0"], "--channels must be a whole number from 1 to 64, not 0"),
      (["--raw", "--encoding=s16el"], "unknown encoding s16el; did you mean s16le?"),
      (["--output="], "--output is empty; name a path, or leave --output out"),
      (["--model="], "--model is empty; name a path, or leave --model out"),
      (["-", "-"], "standard input can be read only once; give - once"),
    ] as [([String], String)])
  func errors(words: [String], expected: String) {
    let error = #expect(throws: UsageError.self) {
      guard
        case .command(_, let arguments) = try ArgumentParser(commands: Commands.all).parse(["transcribe", "a"] + words)
      else { return }
      _ = try TranscribeRequest(arguments)
    }
    #expect(error?.message == expected)
  }
}

@Suite("Where the texts go")
struct OutputPlanTests {
  private func plan(_ words: String...) throws -> [OutputPlan.Place] {
    guard case .command(_, let arguments) = try ArgumentParser(commands: Commands.all).parse(["transcribe"] + words)
    else { return [] }
    return try OutputPlan(TranscribeRequest(arguments)).places
  }

  @Test("Standard output, a file, a folder")
  func places() throws {
    let folder = try TemporaryFolder()
    #expect(try plan("a.wav", "b.wav") == [.standardOutput, .standardOutput])
    #expect(try plan("a.wav", "--output=-") == [.standardOutput])
    #expect(try plan("a.wav", "--output=\(folder.path)/x.txt") == [.file("\(folder.path)/x.txt")])
    #expect(try plan("d/a.wav", "--output=\(folder.path)") == [.file("\(folder.path)/a.txt")])
    #expect(
      try plan("d/a.wav", "-", "--output=\(folder.path)", "--format=vtt")
        == [.file("\(folder.path)/a.vtt"), .file("\(folder.path)/stdin.vtt")])
  }

  @Test("Subtitles of several files cannot follow each other", arguments: ["srt", "vtt"])
  func subtitles(format: String) throws {
    let error = #expect(throws: UsageError.self) { try plan("a", "b", "--format", format) }
    #expect(error?.message == "subtitles of several files cannot share one output; add --output FOLDER")
    #expect(throws: UsageError.self) { try plan("a", "b", "--format", format, "--output=-") }
  }

  @Test("A recording is never overwritten by its text")
  func recordings() throws {
    let folder = try TemporaryFolder()
    try folder.write("sound", to: "a.txt")
    try folder.write("sound", to: "b")
    symlink("\(folder.path)/b", "\(folder.path)/link")
    for words in [["a.txt", "a.txt"], ["b", "link"], ["link", "b"], ["a.txt", ""]] {
      let error = #expect(throws: UsageError.self) {
        try plan("\(folder.path)/\(words[0])", "--output=\(folder.path)/\(words[1])")
      }
      #expect(error?.message.contains("would be overwritten") == true)
    }
    #expect(try plan("/dev/null", "--output=/dev/null") == [.file("/dev/null")])
  }

  @Test("Several files need a folder that is there")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    let missing = #expect(throws: UsageError.self) { try plan("a", "b", "--output=\(folder.path)/none") }
    #expect(missing?.message.hasSuffix("make it with mkdir first") == true)
    let named = #expect(throws: UsageError.self) { try plan("a", "--output=\(folder.path)/none/") }
    #expect(named?.message.contains("names a folder") == true)
    try folder.write("x", to: "file")
    let file = #expect(throws: UsageError.self) { try plan("a", "b", "--output=\(folder.path)/file") }
    #expect(file?.message.hasSuffix("name a folder") == true)
  }

  @Test("Names that would meet get a number")
  func unique() {
    let inputs = ["a.wav", "x/a.flac", "A.mp3", "a-2.wav", "b", "/", ".hidden"].map { Input.file($0) }
    let names = OutputPlan.uniqueNames(inputs, fileExtension: "txt")
    #expect(names == ["a.txt", "a-2.txt", "A-3.txt", "a-2-2.txt", "b.txt", "audio.txt", ".hidden.txt"])
  }
}
