import AuricleAudio
import Foundation
import Testing

@testable import AuricleRecording

@Suite(.timeLimit(.minutes(5))) struct AudioRepairTests {
  static let formats: [RecordingFormat] = [.wav, .flac, .opus]

  /// The bytes of a recording that was killed: all that was written, without its end.
  static func killed(_ format: RecordingFormat, _ audio: AudioFormat, _ samples: [Int16]) throws -> [UInt8] {
    let making = try Making(format, audio, keepsSpool: false)
    try making.append(samples, blocks: 160)
    return try making.bytes()
  }

  static func finished(_ format: RecordingFormat, _ audio: AudioFormat, _ samples: [Int16]) throws -> [UInt8] {
    let making = try Making(format, audio, keepsSpool: false)
    try making.append(samples, blocks: 160)
    try making.recorder.finish()
    return try making.bytes()
  }

  private let temporary: TemporaryFolder
  init() throws { temporary = try TemporaryFolder() }

  private func place(_ bytes: [UInt8], _ format: RecordingFormat) throws -> String {
    try temporary.file("audio.\(format)", bytes)
  }

  @Test("A whole file is not touched", arguments: formats, [1, 2, 3, 6])
  func whole(_ format: RecordingFormat, _ channels: Int) throws {
    for frameCount in [0, 1, 4_096, 30_000] {
      let audio = AudioFormat.of(48_000, channels)
      let bytes = try Self.finished(format, audio, Sounds.tone(frameCount, rate: 48_000, channels: channels))
      let path = try place(bytes, format)
      let repaired = try AudioRepair.repair(path, format: format)
      #expect(!repaired.wasChanged && repaired.frameCount == Int64(frameCount), "\(frameCount)")
      #expect(repaired.sampleRate == 48_000 && repaired.channelCount == channels)
      #expect(Array(try Data(contentsOf: URL(filePath: path))) == bytes)
    }
  }

  @Test("A file cut anywhere has a finite length, and holds a beginning of what was fed", arguments: formats)
  func cutAnywhere(_ format: RecordingFormat) throws {
    let samples = Sounds.tone(40_000, rate: 16_000)
    let bytes = try Self.killed(format, .speech, samples)
    var random = SeededRandom(7)
    for round in 0..<40 {
      let length = round == 0 ? bytes.count : Int.random(in: bytes.count / 4...bytes.count, using: &random)
      let path = try place(Array(bytes[..<length]), format)
      let before = try #require(Decoded(path))
      let repaired = try AudioRepair.repair(path, format: format)
      let after = try #require(Decoded(path))
      #expect(after.claimedFrameCount == Int64(after.samples.count) && repaired.frameCount == after.claimedFrameCount)
      #expect(after.samples.starts(with: before.samples))
      if format != .opus { #expect(samples.starts(with: after.samples)) }
      let again = try AudioRepair.repair(path, format: format)
      #expect(!again.wasChanged && again.frameCount == repaired.frameCount)
    }
  }

  @Test(
    "Players show a finite length once the file is mended", .enabled(if: hasFFmpeg, "ffprobe is not installed"),
    arguments: formats, [8_000, 44_100, 48_000])
  func players(_ format: RecordingFormat, _ rate: Int) throws {
    let path = try place(Self.killed(format, .of(rate, 1), Sounds.tone(3 * rate, rate: rate)), format)
    #expect(try ffmpegSamples(path).count > 2 * rate)
    let repaired = try AudioRepair.repair(path, format: format)
    let seconds = try #require(try probedSeconds(path))
    #expect(seconds > 2.4 && seconds <= 3.05 && abs(seconds - repaired.seconds) < 0.05)
  }

  @Test(
    "Players show the whole length of what ends in minutes of gap, killed or not",
    .enabled(if: hasFFmpeg, "ffprobe is not installed"), arguments: formats, [true, false])
  func longGap(_ format: RecordingFormat, isKilled: Bool) throws {
    let making = try Making(format, .speech, keepsSpool: false, isInMemory: false)
    try making.append(Sounds.tone(16_000, rate: 16_000), blocks: 160)
    try making.recorder.append(making.audio.gap(16_000..<16_000 * 151))
    if !isKilled { try making.recorder.finish() }
    let path = try place(making.bytes(), format)
    let repaired = try AudioRepair.repair(path, format: format)
    let seconds = try #require(try probedSeconds(path))
    #expect(seconds > 150.5 && seconds <= 151.05 && abs(seconds - repaired.seconds) < 0.05)
    // Who does not trust the header counts as much.
    let decoded = try #require(Decoded(path))
    #expect(abs(Double(decoded.samples.count) / Double(decoded.rate) - seconds) < 0.05)
  }

  @Test("A repair that dies at any write can be run again", arguments: formats)
  func diesAnywhere(_ format: RecordingFormat) throws {
    let samples = Sounds.tone(20_000, rate: 16_000)
    var bytes = try Self.killed(format, .speech, samples)
    bytes.removeLast(101)
    if format == .wav { bytes.replaceSubrange(4..<8, with: [0, 0, 0, 0]) }
    let path = try place(bytes, format)
    let expected = try AudioRepair.repair(path, format: format)
    let mended = try Data(contentsOf: URL(filePath: path))
    for changes in 0..<4 {
      for torn in 0..<22 {
        let faults = Faults()
        let path = try place(bytes, format)
        faults.plan = [.short(torn + 1)]
        faults.changesLeft = changes
        _ = try? AudioRepair.repair(path, format: format, calls: faults.calls)
        let again = try AudioRepair.repair(path, format: format)
        #expect(again.frameCount == expected.frameCount)
        #expect(try Data(contentsOf: URL(filePath: path)) == mended, "\(changes) changes, \(torn) bytes")
      }
    }
  }

  @Test("A write error while mending is an error with its reason", arguments: formats)
  func writeError(_ format: RecordingFormat) throws {
    let faults = Faults()
    var bytes = try Self.killed(format, .speech, Sounds.tone(20_000, rate: 16_000))
    if format == .wav { bytes.removeLast(101) }
    let path = try place(bytes, format)
    faults.plan = [.fail(ENOSPC)]
    let error = try #require(throws: RecordingError.self) {
      try AudioRepair.repair(path, format: format, calls: faults.calls)
    }
    #expect(error.kind == .storageFull)
    #expect(try AudioRepair.repair(path, format: format).wasChanged)
  }

  @Test("Samples behind the header's count are audio, and a file over 4 GiB gets its wide sizes")
  func understatedWAV() throws {
    let samples = Sounds.noise(1_000)
    var bytes = WAVLayout(format: .speech).header(dataByteCount: 100)
    bytes += samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    let path = try place(bytes + [9], .wav)
    #expect(try AudioRepair.repair(path, format: .wav).frameCount == 1_000)
    #expect(try #require(Decoded(path)).samples == samples)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 5_000_000_080)
    let repaired = try AudioRepair.repair(path, format: .wav)
    #expect(repaired.frameCount == 2_500_000_000 && repaired.wasChanged)
    #expect(Decoding.claimedFrameCount(path) == 2_500_000_000)
    #expect(try !AudioRepair.repair(path, format: .wav).wasChanged)
    try handle.truncate(atOffset: 2_080)
    #expect(try AudioRepair.repair(path, format: .wav).frameCount == 1_000)
    #expect(try #require(Decoded(path)).samples == samples)
  }

  @Test(
    "Zeros that a loss of power left behind the last frame or page are no loss",
    arguments: [RecordingFormat.flac, .opus])
  func zerosBehind(_ format: RecordingFormat) throws {
    let bytes = try Self.killed(format, .speech, Sounds.tone(40_000, rate: 16_000))
    let path = try place(bytes, format)
    let expected = try AudioRepair.repair(path, format: format).frameCount
    let zeros = try place(bytes + [UInt8](repeating: 0, count: 4_096), format)
    #expect(try AudioRepair.repair(zeros, format: format).frameCount >= expected - 4_096)
    #expect(try !AudioRepair.repair(zeros, format: format).wasChanged)
  }

  @Test("What is no such file is left as it is", arguments: formats)
  func notOne(_ format: RecordingFormat) throws {
    for bytes in [[], [1], Array("RIFF".utf8), Array("fLaC".utf8), [UInt8](repeating: 0x4F, count: 100_000)] {
      let path = try place(bytes, format)
      let error = try #require(throws: RecordingError.self) { try AudioRepair.repair(path, format: format) }
      #expect(error.kind == .damaged)
      #expect(Array(try Data(contentsOf: URL(filePath: path))) == bytes)
    }
    let missing = try #require(throws: RecordingError.self) { try AudioRepair.repair("/none/x", format: format) }
    #expect(missing.kind == .notFound)
  }
}
