import AuricleAudio
import Testing

@Suite struct RawPCMDecoderTests {
  private func decode(
    _ bytes: [UInt8], _ encoding: SampleEncoding, channels: Int = 1, pieces: Int = .max
  ) -> (samples: [Float], leftover: Int) {
    var decoder = RawPCMDecoder(encoding: encoding, channelCount: channels)
    var samples: [Float] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      samples += Array(rest.prefix(pieces)).withUnsafeBytes { decoder.decode($0) }
      rest = rest.dropFirst(pieces)
    }
    return (samples, decoder.leftoverByteCount)
  }

  @Test("The samples do not depend on the pieces, in any encoding", arguments: SampleEncoding.allCases)
  func piecesDoNotMatter(_ encoding: SampleEncoding) {
    var random = SeededRandom(3)
    let bytes = (0..<1_201).map { _ in UInt8.random(in: 0...255, using: &random) }
    for channels in [1, 2, 3] {
      let whole = decode(bytes, encoding, channels: channels)
      let bytesPerFrame = encoding.byteCount * channels
      #expect(whole.leftover == bytes.count % bytesPerFrame)
      #expect(whole.samples.count == bytes.count / bytesPerFrame * channels)
      for pieces in [1, 2, 3, 7, 160, 480, 1_200] {
        let other = decode(bytes, encoding, channels: channels, pieces: pieces)
        #expect(other.samples.map(\.bitPattern) == whole.samples.map(\.bitPattern))
        #expect(other.leftover == whole.leftover)
      }
    }
  }

  @Test("Silence, full scale and one step are what they should be")
  func landmarks() {
    #expect(decode([0x80, 0x00, 0xFF], .u8).samples == [0, -1, 127 / 128])
    #expect(decode([0x00, 0x00, 0x00, 0x80, 0xFF, 0x7F], .s16le).samples == [0, -1, 32_767 / 32_768])
    #expect(decode([0x00, 0x00, 0x80, 0x01, 0x00, 0x00], .s24le).samples == [-1, 1 / 8_388_608])
    #expect(decode([0x00, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x40], .s32le).samples == [-1, 0.5])
    #expect(decode([0x00, 0x00, 0x00, 0xBF], .f32le).samples == [-0.5])
    #expect(decode([0, 0, 0, 0, 0, 0, 0xE0, 0xBF], .f64le).samples == [-0.5])
  }

  @Test("µ-law follows G.711: its ends, its zeros, its symmetry and its order")
  func muLaw() {
    let values = decode((0...255).map { UInt8($0) }, .mulaw).samples.map { $0 * 32_768 }
    #expect(values[0x00] == -32_124 && values[0x80] == 32_124)
    #expect(values[0x7F] == 0 && values[0xFF] == 0)
    #expect(values[0x70] == -120 && values[0xF0] == 120)
    #expect((0..<128).allSatisfy { values[$0] == -values[$0 + 128] })
    #expect((0..<127).allSatisfy { values[$0] < values[$0 + 1] })
  }

  @Test("A-law follows G.711: its ends, its smallest steps and its symmetry")
  func aLaw() {
    let values = decode((0...255).map { UInt8($0) }, .alaw).samples.map { $0 * 32_768 }
    #expect(values[0x2A] == -32_256 && values[0xAA] == 32_256)
    #expect(values[0x55] == -8 && values[0xD5] == 8)
    #expect((0..<128).allSatisfy { values[$0] == -values[$0 + 128] })
    #expect(Set(values).count == 256)
  }

  @Test("Nothing in, nothing out")
  func empty() {
    #expect(decode([], .s16le).samples.isEmpty)
    #expect(decode([1], .s16le) == ([], 1))
  }
}
