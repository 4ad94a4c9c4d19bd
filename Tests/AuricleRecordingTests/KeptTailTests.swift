import AuricleAudio
import Foundation
import Testing

@testable import AuricleRecording

@Suite("What a recorder keeps for tails that come later", .timeLimit(.minutes(5)))
struct KeptTailTests {
  private static let rate = 48_000

  @Test("§9: A second tail from the anchor reads the same samples", arguments: [RecordingFormat.wav, .flac, .opus])
  func secondTail(_ format: RecordingFormat) async throws {
    let making = try Making(format, .of(Self.rate, 1), isInMemory: false)
    making.recorder.keepTail(from: 0)
    let samples = Sounds.tone(40 * Self.rate, rate: Self.rate)
    var anchor = 0
    for round in 0..<4 {
      let start = round * 10 * Self.rate
      try making.append(Array(samples[start..<start + 10 * Self.rate]), at: Int64(start))
      // A tail of its own each time, as of a provider that was lost; it reads everything that is there.
      let tail = making.recorder.makeTail(from: Int64(anchor))
      var heard: [Int16] = []
      while heard.count < start + 10 * Self.rate - anchor,
        case .audio(let block) = try await tail.next(maxFrames: 9_999)
      {
        #expect(block.startFrame == Int64(anchor + heard.count))
        heard += block.samples.map { Int16($0 * 32_768) }
      }
      #expect(heard == Array(samples[anchor..<start + 10 * Self.rate]))
      anchor = start + 3 * Self.rate
      making.recorder.keepTail(from: Int64(anchor))
    }
    try making.recorder.finish()
    let last = making.recorder.makeTail(from: Int64(anchor))
    guard case .audio(let block) = try await last.next(maxFrames: 100) else { throw CocoaError(.fileReadUnknown) }
    #expect(block.startFrame == Int64(anchor))
  }

  @Test("§9: What lies before the anchor and was read is given back, and the rest is not")
  func room() async throws {
    let making = try Making(.flac, .of(Self.rate, 1), isInMemory: false)
    making.recorder.keepTail(from: 0)
    let samples = Sounds.tone(60 * Self.rate, rate: Self.rate)
    try making.append(samples)
    let tail = making.recorder.makeTail()
    var count = 0
    while count < samples.count, case .audio(let block) = try await tail.next(maxFrames: 16_384) {
      count += block.frameCount
    }
    func byteCount() -> Int64 {
      var status = stat()
      return stat(making.folder.spoolPath, &status) == 0 ? Int64(status.st_blocks) * 512 : -1
    }
    #expect(byteCount() >= Int64(2 * samples.count))
    making.recorder.keepTail(from: Int64(50 * Self.rate))
    #expect(byteCount() < Int64(2 * 11 * Self.rate) + 2_200_000 && byteCount() >= Int64(2 * 10 * Self.rate))
    guard case .audio(let block) = try await making.recorder.makeTail(from: Int64(50 * Self.rate)).next(maxFrames: 99)
    else { throw CocoaError(.fileReadUnknown) }
    #expect(block.samples.map { Int16($0 * 32_768) } == Array(samples[50 * Self.rate..<50 * Self.rate + 99]))
    // An anchor that goes back cannot bring back what is gone.
    making.recorder.keepTail(from: 0)
    guard case .gap(let gap) = try await making.recorder.makeTail().next(maxFrames: 99) else {
      throw CocoaError(.fileReadUnknown)
    }
    #expect(gap.reason == .overrun)
    // Without an anchor, the reader alone counts again.
    making.recorder.keepTail(from: nil)
    #expect(byteCount() < 2_200_000)
    withExtendedLifetime(tail) {}
  }

  @Test("A tail from a frame that is not there yet waits for it", arguments: [RecordingFormat.wav, .flac])
  func future(_ format: RecordingFormat) async throws {
    let making = try Making(format)
    let tail = making.recorder.makeTail(from: 5_000)
    async let reading = tail.next(maxFrames: 1_000)
    let samples = Sounds.noise(6_000)
    for start in stride(from: 0, to: 6_000, by: 500) {
      try making.append(Array(samples[start..<start + 500]), at: Int64(start))
    }
    guard case .audio(let block) = try await reading else { throw CocoaError(.fileReadUnknown) }
    #expect(block.startFrame == 5_000 && Int16(block.samples[0] * 32_768) == samples[5_000])
    try making.recorder.finish()
    #expect(try await making.recorder.makeTail(from: 9_000).next(maxFrames: 1) == nil)
  }

  @Test("A journal that was left can be opened by somebody else, and stays where it is")
  func leftJournal() throws {
    let temporary = try TemporaryFolder()
    let path = temporary.path + "/journal"
    let journal = try Journal(creating: path)
    try journal.append("a")
    let error = #expect(throws: RecordingError.self) { _ = try Journal(reopening: path) }
    #expect(error?.kind == .inUse)
    journal.leave()
    try Journal(reopening: path).append("b")
    #expect(try Journal.read(path) == ["a", "b"])
  }
}
