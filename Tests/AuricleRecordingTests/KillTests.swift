import AuricleAudio
import Foundation
import Testing

@testable import AuricleRecording

/// A recording process is killed at seeded random moments; `AURICLE_KILLS` sets how often for each format.
@Suite(
  .enabled(if: Probe.path != nil, "the probe is not built: swift build"), .timeLimit(.minutes(30)), .serialized)
struct KillTests {
  private static let count = ProcessInfo.processInfo.environment["AURICLE_KILLS"].flatMap(UInt64.init) ?? 8

  @Test(
    "After SIGKILL the file holds a beginning of what was fed, and misses at most a second of what was taken",
    arguments: [RecordingFormat.wav, .flac, .opus])
  func suddenEnd(_ format: RecordingFormat) async throws {
    var worst = 0.0
    for seed in 0..<Self.count {
      var random = SeededRandom(seed &* 31 &+ 5)
      let rate = [16_000, 44_100, 48_000].randomElement(using: &random)!
      let audio = AudioFormat.of(rate, Int.random(in: 1...2, using: &random))
      let run = try await Probe.runAndKill(format, audio, &random)
      worst = max(worst, try check(run, format, audio))
    }
    print("\(format): at most \(worst) s were lost in \(Self.count) kills")
  }

  /// - Returns: How many seconds of what was taken are missing.
  private func check(_ run: Probe.Run, _ format: RecordingFormat, _ audio: AudioFormat) throws -> Double {
    let path = run.folder.audioPath(format)
    if format == .wav {
      // A reader needs no repair.
      #expect(run.fed.starts(with: try #require(Decoded(path)).samples))
      if hasFFmpeg { #expect(run.fed.starts(with: try ffmpegSamples(path))) }
    }
    let repaired = try AudioRepair.repair(path, format: format)
    let decoded = try #require(Decoded(path))
    #expect(decoded.claimedFrameCount == repaired.frameCount)
    #expect(decoded.samples.count == Int(repaired.frameCount) * audio.channelCount)
    if format != .opus { #expect(run.fed.starts(with: decoded.samples)) }
    let missing = audio.seconds(run.takenFrameCount) - repaired.seconds
    #expect(missing < (format == .wav ? 0.000_001 : 0.6))
    return missing
  }

  @Test(
    "A limit on the length of files ends the recording with its reason and a whole file",
    arguments: [RecordingFormat.wav, .flac, .opus])
  func fileLimit(_ format: RecordingFormat) async throws {
    let temporary = try TemporaryFolder()
    let folder = try RecordingFolder.create(in: temporary.path, named: "a")
    let samples = Sounds.tone(1_600_000, rate: 16_000)
    let ended = try await Probe.run(folder, format, .speech, samples, limit: 64)
    #expect(ended.code == 1 && ended.message.contains("a file may not be that large"))
    let decoded = try #require(Decoded(folder.audioPath(format)))
    #expect(decoded.claimedFrameCount == Int64(decoded.samples.count) && decoded.samples.count > 20_000)
    if format != .opus { #expect(samples.starts(with: decoded.samples)) }
    #expect(try !AudioRepair.repair(folder.audioPath(format), format: format).wasChanged)
  }
}

/// The program that records its standard input.
enum Probe {
  /// Found beside the test bundle.
  static let path = Bundle.main.executableURL.flatMap { url -> String? in
    var folder = url.deletingLastPathComponent()
    for argument in CommandLine.arguments where argument.contains(".xctest") {
      folder = URL(fileURLWithPath: argument).deletingLastPathComponent()
    }
    for _ in 0..<4 {
      let path = folder.appendingPathComponent("RecordingProbe").path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// A recording that was killed.
  struct Run {
    let temporary: TemporaryFolder
    let folder: RecordingFolder
    let fed: [Int16]
    /// So many frames the program said to have.
    let takenFrameCount: Int64
  }

  static func runAndKill(_ format: RecordingFormat, _ audio: AudioFormat, _ random: inout SeededRandom) async throws
    -> Run
  {
    let temporary = try TemporaryFolder(isInMemory: false)
    let folder = try RecordingFolder.create(in: temporary.path, named: "a")
    let fed = Sounds.tone(
      8 * audio.sampleRate, rate: audio.sampleRate, channels: audio.channelCount, seed: random.next())
    let target = Int64.random(in: 0..<Int64(7 * audio.sampleRate), using: &random)
    let wait = Int.random(in: 0...3_000, using: &random)
    let child = try Child(folder, format, audio)
    child.feed(fed)
    let taken = try await child.taken { frameCount in
      guard frameCount >= target else { return }
      usleep(UInt32(wait))
      kill(child.process.processIdentifier, SIGKILL)
    }
    return Run(temporary: temporary, folder: folder, fed: fed, takenFrameCount: taken)
  }

  /// Records to the end.
  static func run(
    _ folder: RecordingFolder, _ format: RecordingFormat, _ audio: AudioFormat, _ samples: [Int16], limit: Int
  ) async throws -> (code: Int32, message: String) {
    let child = try Child(folder, format, audio, before: "ulimit -f \(limit); ")
    child.feed(samples)
    _ = try await child.taken { _ in }
    let message = try child.errors.fileHandleForReading.readToEnd() ?? Data()
    child.process.waitUntilExit()
    return (child.process.terminationStatus, String(decoding: message, as: UTF8.self))
  }

  /// One run of the program.
  private final class Child: Sendable {
    let process = Process()
    let errors = Pipe()
    private let input = Pipe()
    private let output = Pipe()

    init(_ folder: RecordingFolder, _ format: RecordingFormat, _ audio: AudioFormat, before: String = "") throws {
      signal(SIGPIPE, SIG_IGN)
      process.executableURL = URL(filePath: "/bin/bash")
      let words = "'\(path ?? "")' '\(folder.path)' \(format) \(audio.sampleRate) \(audio.channelCount)"
      process.arguments = ["-c", "\(before)exec \(words)"]
      process.standardInput = input
      process.standardOutput = output
      process.standardError = errors
      try process.run()
    }

    /// Writes on a thread of its own, until the program is gone.
    func feed(_ samples: [Int16]) {
      let data = samples.withUnsafeBytes { Data($0) }
      let writer = Thread { [input] in
        let handle = input.fileHandleForWriting
        for start in stride(from: 0, to: data.count, by: 6_000) {
          guard (try? handle.write(contentsOf: data[start..<min(data.count, start + 6_000)])) != nil else { return }
        }
        try? handle.close()
      }
      writer.start()
    }

    /// Reads what the program says it has taken, to its end.
    func taken(_ tell: @Sendable (Int64) -> Void) async throws -> Int64 {
      var latest: Int64 = 0
      var rest = Data()
      while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: 10) {
          latest = Int64(String(decoding: rest[..<end], as: UTF8.self)) ?? latest
          rest = Data(rest[(end + 1)...])
        }
        tell(latest)
      }
      process.waitUntilExit()
      return latest
    }
  }
}
