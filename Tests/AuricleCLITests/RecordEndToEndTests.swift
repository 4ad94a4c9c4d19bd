import AuricleAudio
import AuricleRecording
import AuricleSession
import Foundation
import Testing

@testable import AuricleCLI

@Suite(
  "Recording with the built program", .enabled(if: program != nil, "the program is not built: swift build"),
  .timeLimit(.minutes(2)))
struct RecordEndToEndTests {
  private let folder: TemporaryFolder
  private var out: String { "\(folder.path)/out" }
  /// Ten seconds of a ramp, 16 kHz mono, 16 bit.
  private static let ramp = Data(
    (0..<160_000).flatMap { frame in [UInt8(truncatingIfNeeded: frame), UInt8(truncatingIfNeeded: frame >> 8)] })

  init() throws { folder = try TemporaryFolder() }

  private func started(_ words: [String] = []) throws -> RunningProgram {
    try RunningProgram(["record", "--source=-", "--yes", "--no-transcript", "--out", out] + words)
  }

  /// The only recording.
  private func recording() throws -> RecordingFolder {
    let names = try folder.names(in: "out")
    try #require(names.count == 1)
    return RecordingFolder(path: "\(out)/\(names[0])")
  }

  private func report() throws -> RecordingReport {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: recording().reportPath))
    return try JSONDecoder().decode(RecordingReport.self, from: bytes)
  }

  /// The bytes of the audio behind the WAV's header.
  private func samples() throws -> Data {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: recording().audioPath(.wav)))
    let place = try #require(bytes.range(of: Data("data".utf8)))
    return bytes[(place.upperBound + 4)...]
  }

  private func isRecording(_ seconds: Double) -> @Sendable (RunningProgram) -> Bool {
    let path = out
    return { _ in
      guard let name = try? FileManager.default.contentsOfDirectory(atPath: path).first else { return false }
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)/audio.wav")
      return (attributes?[.size] as? Int ?? 0) >= Int(seconds * 32_000)
    }
  }

  @Test("Standard input to its end: every sample, 0, modes of the files")
  func whole() async throws {
    let program = try started()
    program.feed(Self.ramp, bytesPerSecond: nil)
    #expect(await program.end() == 0)
    #expect(try samples() == Self.ramp && report().stopReason == .userInitiated)
    let place = try recording()
    for (path, mode) in [(out, 0o700), (place.path, 0o700), (place.audioPath(.wav), 0o600), (place.reportPath, 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
    }
  }

  @Test("SIGTERM, SIGINT and SIGHUP stop it with 0 and a report, soon", arguments: [SIGTERM, SIGINT, SIGHUP])
  func signals(number: Int32) async throws {
    let program = try started()
    program.feed(Self.ramp, bytesPerSecond: 64_000, staysOpen: true)
    #expect(await program.wait(until: isRecording(1)))
    let start = Date()
    program.send(number)
    #expect(await program.end() == 0 && Date().timeIntervalSince(start) < 5)
    #expect(try report().stopReason == .userInitiated && !report().isIncomplete)
    #expect(try !FileManager.default.fileExists(atPath: recording().journalPath))
  }

  @Test("A second SIGINT ends it at once, with the file whole")
  func twice() async throws {
    let program = try started()
    program.feed(Self.ramp, bytesPerSecond: 64_000, staysOpen: true)
    #expect(await program.wait(until: isRecording(1)))
    program.send(SIGINT)
    program.send(SIGINT)
    let code = await program.end()
    #expect(code == 0 || code == 130)
    let audio = try AudioRepair.repair(recording().audioPath(.wav), format: .wav)
    #expect(audio.frameCount >= 16_000 && !audio.wasChanged)
  }

  @Test("SIGKILL: what was fed is there but for the last second, and recover gives a report", arguments: 0..<6)
  func killed(seed: Int) async throws {
    var random = SeededRandom(seed: UInt64(seed))
    let format = RecordingFormat.allCases[seed % 3]
    let program = try started(["--format", format.rawValue])
    program.feed(Self.ramp, bytesPerSecond: 64_000, staysOpen: true)
    #expect(await program.wait { $0.talk.contains("recording") })
    try await Task.sleep(for: .milliseconds(200 + random.next(below: 1_500)))
    let fed = Double(program.fedByteCount) / 32_000
    program.send(SIGKILL)
    #expect(await program.end() == -SIGKILL)
    let recover = try RunningProgram(["recover", "--out", out])
    #expect(await recover.end() == 0, "\(recover.talk)")
    #expect(recover.output.contains("incomplete: processKilled"))
    let report = try report()
    #expect(report.isIncomplete && report.stopReason == .interrupted && report.audio.duration > fed - 1)
    if format == .wav {
      let samples = try samples()
      #expect(samples == Self.ramp.prefix(samples.count))
      #expect(abs(report.audio.duration - Double(samples.count) / 32_000) < 0.001)
    }
  }

  @Test("SIGUSR1 pauses and resumes; the gap stands where it was, and the rest of the file where it belongs")
  func paused() async throws {
    let program = try started()
    program.feed(Self.ramp, bytesPerSecond: 64_000)
    #expect(await program.wait(until: isRecording(1)))
    program.send(SIGUSR1)
    #expect(await program.wait { $0.talk.contains("paused at") })
    try await Task.sleep(for: .milliseconds(500))
    program.send(SIGUSR1)
    #expect(await program.end() == 0 && program.talk.contains("recording again from"))
    let (report, samples) = (try report(), try samples())
    #expect(report.gaps.count == 1 && report.gaps[0].reason == "paused" && report.audio.duration == 10)
    let gap = (Int(report.gaps[0].start * 16_000) * 2)..<(Int(report.gaps[0].end * 16_000) * 2)
    #expect(gap.count > 20_000 && samples.count == Self.ramp.count)
    let first = samples.startIndex
    #expect(samples.prefix(gap.lowerBound) == Self.ramp.prefix(gap.lowerBound))
    #expect(samples[(first + gap.lowerBound + 64)..<(first + gap.upperBound - 64)].allSatisfy { $0 == 0 })
    #expect(samples[(first + gap.upperBound)...] == Self.ramp[gap.upperBound...])
  }

  @Test("A length ends it, whoever goes on speaking")
  func length() async throws {
    let program = try started(["--duration=1.5s"])
    program.feed(Self.ramp, bytesPerSecond: 64_000, staysOpen: true)
    #expect(await program.end() == 0)
    #expect(try samples() == Self.ramp.prefix(48_000) && report().audio.duration == 1.5)
  }

  @Test("Without a terminal and without consent it is 77, and nothing is read or made")
  func noConsent() async throws {
    let program = try RunningProgram(["record", "--source=-", "--out", out])
    program.feed(Self.ramp, bytesPerSecond: nil)
    #expect(await program.end() == 77 && program.talk.contains("--consent"))
    #expect(folder.names.isEmpty)
  }

  @Test("A folder that is deleted underneath ends it with 74, and nobody says that anything is left")
  func deleted() async throws {
    let program = try started()
    program.feed(Self.ramp, bytesPerSecond: 64_000, staysOpen: true)
    #expect(await program.wait(until: isRecording(1)))
    try FileManager.default.removeItem(atPath: out)
    #expect(await program.end() == 74)
    #expect(program.talk.contains("the recording is gone") && !program.talk.contains("is safe"))
  }

  @Test("A folder that cannot be made is 74")
  func trouble() async throws {
    try folder.write("x", to: "file")
    let program = try RunningProgram(["record", "--source=-", "--yes", "--out", "\(folder.path)/file"])
    program.feed(Self.ramp, bytesPerSecond: nil)
    #expect(await program.end() == 74 && program.talk.filter(\.isNewline).count == 1)
  }
}

@Suite(
  "Recording with the built program and the model",
  .enabled(if: program != nil && SystemCalls.kind(sample) != nil, "run make setup"), .timeLimit(.minutes(5)))
struct RecordModelTests {
  private let folder: TemporaryFolder
  private var out: String { "\(folder.path)/out" }

  init() throws { folder = try TemporaryFolder() }

  /// The samples of the recording, 16 kHz mono, 16 bit.
  private static var speech: Data {
    let bytes = (try? Data(contentsOf: URL(fileURLWithPath: sample))) ?? Data()
    guard let place = bytes.range(of: Data("data".utf8)) else { return Data() }
    return bytes[(place.upperBound + 4)...]
  }

  private func read(_ name: String) throws -> String {
    let recording = try #require(try folder.names(in: "out").first)
    return try folder.read("out/\(recording)/\(name)")
  }

  private func transcribed() async throws -> String {
    let recording = try #require(try folder.names(in: "out").first)
    let name = try #require(try folder.names(in: "out/\(recording)").first { $0.hasPrefix("audio.") })
    let program = try RunningProgram(["transcribe", "\(out)/\(recording)/\(name)"])
    #expect(await program.end() == 0, "\(program.talk)")
    return program.output
  }

  @Test("Live text of real speech is what transcribe makes of the file", arguments: RecordingFormat.allCases)
  func words(format: RecordingFormat) async throws {
    let program = try RunningProgram(["record", "--source=-", "--yes", "--format", format.rawValue, "--out", out])
    program.feed(Self.speech, bytesPerSecond: format == .wav ? 32_000 : nil)
    let code = await program.end()
    let words = try read("transcript.txt")
    #expect(code == 0 && program.output == words && words.lowercased().contains("fail better"))
    // Opus is lossy: what is heard in its file may differ.
    if format != .opus { #expect(try await transcribed() == words) }
  }

  @Test("Killed in the middle: the sentences so far stay, and recover transcribes the rest")
  func killed() async throws {
    let program = try RunningProgram(["record", "--source=-", "--yes", "--out", out])
    program.feed(Self.speech, bytesPerSecond: 32_000, staysOpen: true)
    try #require(await program.wait { $0.output.filter(\.isNewline).count >= 2 }, "\(program.talk)")
    program.send(SIGKILL)
    #expect(await program.end() == -SIGKILL)
    let recover = try RunningProgram(["recover", "--out", out])
    #expect(await recover.end() == 0, "\(recover.talk)")
    let words = try read("transcript.txt")
    #expect(words.hasPrefix(program.output))
    #expect(try await transcribed() == words)
  }

  @Test("SIGTERM while somebody speaks: 0 within five seconds, with the words so far")
  func terminated() async throws {
    let program = try RunningProgram(["record", "--source=-", "--yes", "--out", out])
    program.feed(Self.speech, bytesPerSecond: 32_000, staysOpen: true)
    try #require(await program.wait { !$0.output.isEmpty }, "\(program.talk)")
    let start = Date()
    program.send(SIGTERM)
    #expect(await program.end() == 0 && Date().timeIntervalSince(start) < 5)
    #expect(try read("transcript.txt") == program.output)
  }

  @Test(
    "SIGTERM ends it within five seconds with everything on disk, though nobody reads what it says",
    arguments: [[.output], [.talk], [.output, .talk]] as [Set<RunningProgram.Stalled>])
  func stalled(outputs: Set<RunningProgram.Stalled>) async throws {
    let program = try RunningProgram(["record", "--source=-", "--yes", "--out", out], stalled: outputs)
    program.feed(Self.speech, bytesPerSecond: 32_000, staysOpen: true)
    let path = out
    let hasWords: @Sendable (RunningProgram) -> Bool = { _ in
      guard let name = try? FileManager.default.contentsOfDirectory(atPath: path).first else { return false }
      let journal = try? String(contentsOfFile: "\(path)/\(name)/.journal.jsonl", encoding: .utf8)
      return (journal ?? "").components(separatedBy: "\"transcript\"").count > 2
    }
    try #require(await program.wait(until: hasWords), "\(program.talk)")
    if !outputs.contains(.output) { #expect(await program.wait { $0.output.filter(\.isNewline).count >= 2 }) }
    if !outputs.contains(.talk) { #expect(program.talk.contains("recording")) }
    let start = Date()
    program.send(SIGTERM)
    #expect(await program.end() == 0 && Date().timeIntervalSince(start) < 5)
    let recording = try #require(try folder.names(in: "out").first)
    #expect(
      try folder.names(in: "out/\(recording)") == ["audio.wav", "report.json", "transcript.srt", "transcript.txt"])
    let report = try JSONDecoder().decode(RecordingReport.self, from: Data(read("report.json").utf8))
    #expect(report.transcripts.count >= 2 && report.stopReason == .userInitiated)
    if !outputs.contains(.talk) { #expect(await program.wait(seconds: 5) { $0.talk.contains("recorded 0:") }) }
  }
}
