import AuricleAudio
import Foundation
import Testing

@testable import AuricleRecording

@Suite(.timeLimit(.minutes(5))) struct EncodedRecordingTests {
  @Test("FLAC holds what was fed, gaps as silence, in blocks of any size", arguments: [1, 160, 4_096, 50_000])
  func flac(_ size: Int) async throws {
    let making = try Making(.flac, .of(44_100, 2))
    let samples = Sounds.noise(30_000)
    let tail = making.recorder.makeTail()
    try making.append(Array(samples[..<20_000]), blocks: size)
    try making.recorder.append(making.audio.gap(10_000..<150_000))
    try making.append(Array(samples[20_000...]), at: 150_000, blocks: size)
    try making.recorder.finish()
    let expected = samples[..<20_000] + [Int16](repeating: 0, count: 280_000) + samples[20_000...]
    let decoded = try #require(Decoded(making.path))
    #expect(decoded.samples == Array(expected) && decoded.rate == 44_100 && decoded.channels == 2)
    #expect(decoded.claimedFrameCount == 155_000)
    let reading = try await TailReading.all(tail)
    #expect(reading.samples == Array(expected) && reading.gaps == [making.audio.gap(10_000..<150_000)])
  }

  @Test(
    "Opus has the length and the sound of what was fed, at any rate",
    arguments: [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000], [1, 2])
  func opus(_ rate: Int, _ channels: Int) throws {
    let making = try Making(.opus, .of(rate, channels), keepsSpool: false)
    try making.append(Sounds.tone(rate, rate: rate, channels: channels))
    try making.recorder.append(making.audio.gap(Int64(rate)..<Int64(2 * rate)))
    try making.append(Sounds.tone(rate, rate: rate, channels: channels), at: Int64(2 * rate))
    try making.recorder.finish()
    let decoded = try #require(Decoded(making.path))
    #expect(decoded.channels == channels)
    let frameCount = decoded.samples.count / channels
    #expect(abs(Double(frameCount) / Double(decoded.rate) - 3) < 0.001)
    for (place, isLoud) in [
      (0.1, true), (0.5, true), (0.95, true), (1.1, false), (1.5, false), (2.1, true), (2.95, true),
    ] {
      let first = Int(place * Double(decoded.rate)) * channels
      let loudest = decoded.samples[first..<first + decoded.rate / 50 * channels].map { abs(Int($0)) }.max() ?? 0
      #expect(isLoud ? loudest > 5_000 : loudest < 1_000, "at \(place) s the loudest sample is \(loudest)")
    }
  }

  @Test("There is a header before there is sound", arguments: [RecordingFormat.flac, .opus])
  func headerFirst(_ format: RecordingFormat) throws {
    let making = try Making(format, .of(44_100, 2))
    #expect(try !making.bytes().isEmpty)
    #expect(try AudioRepair.repair(making.path, format: format).frameCount == 0)
    // libsndfile reads no Opus without sound.
    if format == .flac { #expect(Decoded(making.path)?.samples.isEmpty == true) }
    try making.recorder.finish()
    #expect(try AudioRepair.repair(making.path, format: format).wasChanged == false)
  }

  @Test("What a format cannot hold is refused before there is a file")
  func unsupported() throws {
    let cases: [(RecordingFormat, AudioFormat)] = [
      (.flac, .of(16_000, 9)), (.flac, .of(700_000, 1)),
    ]
    for (format, audio) in cases {
      let temporary = try TemporaryFolder()
      let folder = try RecordingFolder.create(in: temporary.path, named: "a")
      let error = #expect(throws: RecordingError.self, "\(format), \(audio)") {
        try Recorder(folder: folder, format: format, audio: audio)
      }
      #expect(error?.kind == .unsupportedFormat)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test(
    "Frames that count as durable are in the file", arguments: [RecordingFormat.wav, .flac, .opus],
    [8_000, 44_100, 48_000])
  func durable(_ format: RecordingFormat, _ rate: Int) throws {
    let time = Locked(Duration.zero)
    let making = try Making(format, .of(rate, 1), elapsed: { time.withLock { $0 } })
    let samples = Sounds.tone(3 * rate, rate: rate)
    for start in stride(from: 0, to: samples.count - 441, by: 441) {
      time.withLock { $0 += .seconds(1) }
      try making.append(Array(samples[start..<start + 441]), at: Int64(start))
      making.recorder.diskSync.wait()
      guard start / 441 % 23 == 0 else { continue }
      let durable = making.recorder.progress.current.durableFrameCount
      let decoded = Decoded(making.path)
      let seconds = decoded.map { Double($0.samples.count) / Double($0.rate) } ?? 0
      #expect(seconds >= Double(durable) / Double(rate), "at \(start)")
      if start > rate { #expect(durable > Int64(start) - 4_600 - Int64(rate) / 4) }
    }
  }

  @Test("The spool takes no more room than its reader is behind, and is gone after the finish")
  func spool() async throws {
    let making = try Making(.flac, .of(48_000, 1), isInMemory: false)
    let samples = Sounds.tone(480_000, rate: 48_000)
    let tail = making.recorder.makeTail()
    var heard: [Int16] = []
    for start in stride(from: 0, to: 4_800_000, by: 480_000) {
      try making.append(samples, at: Int64(start))
      while heard.count < start + 480_000, case .audio(let block) = try await tail.next(maxFrames: 16_384) {
        heard += block.samples.map { Int16($0 * 32_768) }
      }
      var status = stat()
      #expect(stat(making.folder.spoolPath, &status) == 0 && status.st_blocks * 512 < 2_200_000)
    }
    #expect(heard == (0..<10).flatMap { _ in samples })
    let late = try await making.recorder.makeTail().next(maxFrames: 1)
    guard case .gap(let gap) = late else { throw CocoaError(.fileReadUnknown) }
    #expect(gap.frames.lowerBound == 0 && gap.reason == .overrun && gap.frames.upperBound > 4_000_000)
    try making.recorder.finish()
    #expect(!FileManager.default.fileExists(atPath: making.folder.spoolPath))
  }

  @Test("A spool that finds no room costs the recogniser its source, and the recording nothing")
  func spoolWithoutRoom() async throws {
    let faults = Faults()
    faults.spoolRoom = 100_000
    let making = try Making(.flac, .speech, calls: faults.calls)
    let tail = making.recorder.makeTail()
    let samples = Sounds.noise(100_000)
    try making.append(samples)
    try making.recorder.finish()
    #expect(try #require(Decoded(making.path)).samples == samples)
    let reading = try await TailReading.all(tail)
    #expect(reading.samples == Array(samples[..<50_000]) && reading.failure?.platformCode == Int(ENOSPC))
  }

  @Test("A spool that is given up stops its readers, and the recording goes on")
  func droppedSpool() async throws {
    let making = try Making(.opus)
    let tail = making.recorder.makeTail()
    try making.append(Sounds.tone(1_000, rate: 16_000))
    making.recorder.dropSpool()
    making.recorder.dropSpool()
    #expect(try await TailReading.all(tail).failure?.kind == .readFailed)
    try making.append(Sounds.tone(15_000, rate: 16_000), at: 1_000)
    try making.recorder.finish()
    #expect(try #require(Decoded(making.path)).samples.count == 16_000)
    let without = try Making(.flac, keepsSpool: false)
    #expect(try await TailReading.all(without.recorder.makeTail()).failure?.kind == .readFailed)
  }
}
