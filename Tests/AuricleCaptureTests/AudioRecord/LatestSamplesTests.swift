import Testing

@testable import AuricleCapture

@Suite("AudioRecord: the ring and AudioData")
struct LatestSamplesTests {
  private func ring(_ loads: [Float]...) throws -> LatestSamples {
    var ring = LatestSamples(capacity: 5)
    for load in loads { try ring.load(FloatBuffer(load), offset: 0, length: UInt(load.count)) }
    return ring
  }

  private func all(_ ring: LatestSamples) throws -> [Float] { try ring.read(offset: 0, length: 5).samples }

  @Test("A17: The original's worked cases")
  func cases() throws {
    #expect(try all(ring([1, 2, 3, 4, 5])) == [1, 2, 3, 4, 5])
    #expect(try all(ring([1, 2, 3])) == [0, 0, 1, 2, 3])
    #expect(try all(ring([1, 2, 3, 4])) == [0, 1, 2, 3, 4])
    #expect(try all(ring([1, 2, 3, 4], [5, 6, 7])) == [3, 4, 5, 6, 7])
    #expect(try all(ring([1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11])) == [7, 8, 9, 10, 11])
  }

  @Test("A18: A part of a buffer is loaded")
  func parts() throws {
    var ring = try ring([1, 2])
    try ring.load(FloatBuffer([6, 7, 8, 9]), offset: 2, length: 2)
    #expect(try all(ring) == [0, 1, 2, 8, 9])
    ring = try self.ring([1, 2, 3, 4, 5])
    try ring.load(FloatBuffer([6, 7, 8, 9, 10, 11, 12, 13]), offset: 2, length: 6)
    #expect(try all(ring) == [9, 10, 11, 12, 13])
  }

  @Test("A19: A part beyond the source is refused and nothing changes; a clear gives zeros")
  func refused() throws {
    var ring = try ring([1, 2, 3])
    for (offset, length) in [(UInt(3), UInt(2)), (5, 0), (.max, 1), (0, .max)] {
      expectCode(.invalidArgument) { try ring.load(FloatBuffer([1, 2, 3, 4]), offset: offset, length: length) }
    }
    #expect(try all(ring) == [0, 0, 1, 2, 3])
    ring.clear()
    #expect(try all(ring) == [0, 0, 0, 0, 0])
  }

  @Test("Whatever is loaded in whatever sizes, the newest samples are there", arguments: [1, 5, 64, 100])
  func model(_ capacity: Int) throws {
    var ring = LatestSamples(capacity: capacity)
    var model = [Float](repeating: 0, count: capacity)
    var state: UInt64 = 42
    var number: Float = 0
    for _ in 0..<500 {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      let count = Int(state >> 33) % (2 * capacity + 2)
      let samples = (0..<count).map { number + Float($0) }
      number += Float(count)
      if state & 0x80 == 0 {
        try ring.load(FloatBuffer(samples), offset: 0, length: UInt(count))
        model = Array((model + samples).suffix(capacity))
      } else {
        ring.loadSilence(count)
        model = Array((model + [Float](repeating: 0, count: count)).suffix(capacity))
      }
      #expect(try ring.read(offset: 0, length: UInt(capacity)).samples == model)
    }
  }

  @Test("A20: AudioData is made of a format and a sample count per channel, oldest first")
  func data() throws {
    let data = try AudioData(format: AudioDataFormat(channelCount: 2, sampleRate: 16_000), sampleCount: 3)
    #expect(data.bufferLength == 6)
    #expect(data.buffer.samples == [0, 0, 0, 0, 0, 0])
    try data.load(buffer: FloatBuffer([1, 2, 3, 4]), offset: 0, length: 4)
    #expect(data.buffer.samples == [0, 0, 1, 2, 3, 4])
    for count in [0, .max, 1 << 62] as [UInt] {
      expectCode(.invalidArgument) { _ = try AudioData(format: data.format, sampleCount: count) }
    }
  }

  @Test("A21: Loading follows the ring's rules")
  func load() throws {
    let data = try AudioData(format: AudioDataFormat(sampleRate: 16_000), sampleCount: 5)
    try data.load(buffer: FloatBuffer([6, 7, 8, 9]), offset: 2, length: 2)
    #expect(data.buffer.samples == [0, 0, 0, 8, 9])
    expectCode(.invalidArgument) { try data.load(buffer: FloatBuffer([1]), offset: 1, length: 1) }
    #expect(data.buffer.samples == [0, 0, 0, 8, 9])
  }

  @Test("A21: A whole record is loaded, if its format is the same", .timeLimit(.minutes(5)))
  func loadRecord() async throws {
    let rig = try RecordRig(length: 3)
    let data = try AudioData(format: AudioDataFormat(sampleRate: 16_000), sampleCount: 4)
    expectCode(.audioRecordNotTappingMic) { try data.load(audioRecord: rig.record) }
    try rig.record.startRecording()
    try await rig.source.push([1, 2, 3])
    try await rig.wait { try $0.all == [1, 2, 3] }
    try data.load(audioRecord: rig.record)
    #expect(data.buffer.samples == [0, 1, 2, 3])
    let other = try AudioData(format: AudioDataFormat(sampleRate: 8_000), sampleCount: 4)
    expectCode(.invalidArgument) { try other.load(audioRecord: rig.record) }
  }
}
