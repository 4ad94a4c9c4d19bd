import AuricleAudio
import Foundation
import Testing

@testable import AuricleRecording

@Suite(.timeLimit(.minutes(2))) struct WAVRecordingTests {
  @Test("Every 16-bit sample survives the way over a float")
  func roundTrip() {
    for sample in Int16.min...Int16.max {
      #expect(SampleRounding.int16(Float(sample) / 32_768) == sample)
    }
  }

  @Test("Samples are rounded to nearest, cut to the range, and silent where they are no numbers")
  func rounding() {
    let cases: [(Float, Int16)] = [
      (0.5 / 32_768, 0), (1.5 / 32_768, 2), (-1.5 / 32_768, -2), (0.6 / 32_768, 1), (1, 32_767), (2, 32_767),
      (-1, -32_768), (-7, -32_768), (.infinity, 32_767), (-.infinity, -32_768), (.nan, 0), (-.nan, 0),
      (.greatestFiniteMagnitude, 32_767),
    ]
    for (sample, expected) in cases { #expect(SampleRounding.int16(sample) == expected) }
  }

  @Test("The file holds what was fed, in blocks of any size", arguments: [1, 7, 160, 480, 4_096, 100_000])
  func blocks(_ size: Int) throws {
    let making = try Making(.wav, .of(44_100, 2))
    let samples = Sounds.noise(20_000)
    try making.append(samples, blocks: size)
    try making.recorder.finish()
    let decoded = try #require(Decoded(making.path))
    #expect(decoded.samples == samples && decoded.rate == 44_100 && decoded.channels == 2)
  }

  @Test("The file is valid after every block, before the recording ends", arguments: [1, 2, 3, 8])
  func validAtAnyMoment(_ channels: Int) throws {
    let making = try Making(.wav, .of(16_000, channels))
    let samples = Sounds.noise(1_600 * channels)
    for block in 0..<10 {
      let range = block * 160 * channels..<(block + 1) * 160 * channels
      try making.recorder.append(making.audio.block(at: Int64(block * 160), samples[range]))
      let decoded = try #require(Decoded(making.path))
      #expect(decoded.samples == Array(samples[..<range.upperBound]))
      #expect(decoded.claimedFrameCount == Int64((block + 1) * 160))
    }
  }

  @Test("An empty recording is a valid file of no length")
  func empty() throws {
    let making = try Making()
    #expect(try #require(Decoded(making.path)).samples.isEmpty)
    try making.recorder.finish()
    try making.recorder.finish()
    #expect(try #require(Decoded(making.path)).samples.isEmpty)
    #expect(making.recorder.progress.current.isEnded)
  }

  @Test("A gap is silence of its length, and what is missing without a word becomes one")
  func gaps() throws {
    let making = try Making()
    let samples = Sounds.noise(300)
    try making.append(Array(samples[..<100]))
    try making.recorder.append(making.audio.gap(100..<200))
    try making.append(Array(samples[100..<200]), at: 200)
    try making.append(Array(samples[200...]), at: 350)
    try making.recorder.finish()
    let silence = [Int16](repeating: 0, count: 100)
    let expected: [[Int16]] = [
      Array(samples[..<100]), silence, Array(samples[100..<200]), Array(silence[..<50]), Array(samples[200...]),
    ]
    #expect(try #require(Decoded(making.path)).samples == expected.flatMap { $0 })
    #expect(making.recorder.progress.current.missingFrameCount == 150)
  }

  @Test("Frames that come twice are left out and counted")
  func repeats() throws {
    let making = try Making()
    let samples = Sounds.noise(300)
    try making.append(Array(samples[..<200]))
    try making.append(Array(samples[100..<300]), at: 100)
    try making.append(Array(samples[..<50]), at: 0)
    try making.recorder.append(making.audio.gap(250..<310))
    try making.recorder.finish()
    #expect(try #require(Decoded(making.path)).samples == samples + [Int16](repeating: 0, count: 10))
    #expect(making.recorder.progress.current.repeatedFrameCount == 200)
  }

  @Test("Numbers that cannot be right end the recording, and the file is whole")
  func absurdNumbers() throws {
    for frames in [-5..<Int64(5), 1 << 60..<1 << 61, 100..<Int64.max, Int64.min..<0] {
      let making = try Making()
      try making.append(Sounds.noise(100))
      #expect(throws: RecordingError.self) { try making.recorder.append(making.audio.gap(frames)) }
      try making.recorder.finish()
      #expect(try #require(Decoded(making.path)).samples == Sounds.noise(100))
    }
  }

  @Test("Beyond 4 GiB the file is an RF64 of its full length, and hours of gap take neither time nor room")
  func beyond4GiB() throws {
    let making = try Making(.wav, .of(48_000, 2))
    let samples = Sounds.noise(2_000)
    let end: Int64 = 1_500_000_000
    try making.append(Array(samples[..<1_000]))
    try making.recorder.append(making.audio.gap(500..<end))
    try making.append(Array(samples[1_000...]), at: end)
    for isFinished in [false, true] {
      if isFinished { try making.recorder.finish() }
      let ends = try #require(WAVEnds(making.path, dataOffset: 80))
      #expect(ends.form == "RF64" && ends.claimedFrameCount == end + 500)
      #expect(ends.first == Array(samples[..<1_000]) && ends.last == Array(samples[1_000...]))
    }
    if hasFFmpeg { #expect(try abs(#require(try probedSeconds(making.path)) - making.audio.seconds(end + 500)) < 0.01) }
    var status = stat()
    #expect(stat(making.path, &status) == 0 && status.st_blocks * 512 < 1 << 20)
  }

  @Test("A recording that grows over 4 GiB becomes an RF64 at the very sample")
  func overTheEdge() throws {
    let making = try Making(.wav, .of(8_000, 1))
    let edge = (Int64(UInt32.max) - 72) / 2
    try making.recorder.append(making.audio.gap(0..<edge))
    #expect(try #require(WAVEnds(making.path, dataOffset: 80)).form == "RIFF")
    try making.append([77], at: edge)
    let ends = try #require(WAVEnds(making.path, dataOffset: 80))
    #expect(ends.form == "RF64" && ends.claimedFrameCount == edge + 1 && ends.last.last == 77)
  }

  @Test("Nothing is overwritten, and files are for their owner alone")
  func neverOverwrites() throws {
    let making = try Making()
    try making.append(Sounds.noise(100))
    try making.recorder.finish()
    let error = #expect(throws: RecordingError.self) {
      try Recorder(folder: making.folder, format: .wav, audio: .speech, limits: RecorderLimits(freeByteFloor: 0))
    }
    #expect(error?.kind == .exists)
    #expect(try #require(Decoded(making.path)).samples == Sounds.noise(100))
    var status = stat()
    #expect(stat(making.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }
}

/// Both ends of a WAV that is too long to be read.
private struct WAVEnds {
  var form: String
  var claimedFrameCount: Int64
  var first: [Int16]
  var last: [Int16]

  init?(_ path: String, dataOffset: UInt64) {
    guard let handle = FileHandle(forReadingAtPath: path), let count = Decoding.claimedFrameCount(path) else {
      return nil
    }
    claimedFrameCount = count
    form = String(decoding: handle.readData(ofLength: 4), as: UTF8.self)
    handle.seek(toFileOffset: dataOffset)
    first = handle.readData(ofLength: 2_000).samples
    handle.seek(toFileOffset: handle.seekToEndOfFile() - 2_000)
    last = handle.readData(ofLength: 2_000).samples
  }
}

extension Data {
  fileprivate var samples: [Int16] {
    withUnsafeBytes { bytes in (0..<count / 2).map { bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self) } }
  }
}
