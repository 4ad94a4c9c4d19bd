import AuricleAudio
import Testing

@testable import AuricleMedia

@Suite struct WAVHeaderParserTests {
  private let sound = Containers.s16le(Sounds.sweep(100))

  /// Parses bytes in pieces of a size.
  private func parse(_ bytes: [UInt8], pieces: Int = .max) -> WAVHeaderParser.Outcome {
    var parser = WAVHeaderParser()
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(pieces)
      let (outcome, used) = parser.consume(piece)
      if outcome != .more { return outcome }
      #expect(used == piece.count)
      rest = rest.dropFirst(used)
    }
    return .more
  }

  private func header(_ bytes: [UInt8], pieces: Int = .max) -> WAVHeader? {
    if case .header(let header) = parse(bytes, pieces: pieces) { header } else { nil }
  }

  @Test("The header is the same in pieces of any size", arguments: [1, 2, 3, 7, 12, 13, 44, 4_096])
  func piecesDoNotMatter(_ size: Int) throws {
    let wav = Containers.wav(sound, channels: 2, rate: 44_100, before: Containers.chunk("LIST", [1, 2, 3]))
    let whole = try #require(header(wav))
    #expect(header(wav, pieces: size) == whole)
    #expect(whole.raw == (try RawFormat(encoding: .s16le, sampleRate: 44_100, channelCount: 2)))
    #expect(whole.dataOffset == 12 + 24 + 12 + 8)
    #expect(whole.dataByteCount == 200)
    #expect(whole.endOffset == Int64(wav.count))
  }

  @Test("A chunk of odd size is followed, with its filling byte or without")
  func oddChunks() {
    let padded = Containers.wav(sound, before: Containers.chunk("junk", [9, 9, 9]))
    let unpadded = Containers.wav(sound, before: Array(Containers.chunk("junk", [9, 9, 9]).dropLast()))
    #expect(header(padded)?.dataByteCount == 200)
    #expect(header(unpadded)?.dataByteCount == 200)
    #expect(header(unpadded, pieces: 1) == header(unpadded))
  }

  @Test(
    "Every plain coding is known",
    arguments: [
      (1, 8, SampleEncoding.u8), (1, 16, .s16le), (1, 24, .s24le), (1, 32, .s32le), (3, 32, .f32le), (3, 64, .f64le),
      (6, 8, .alaw), (7, 8, .mulaw), (1, 12, .s16le), (1, 20, .s24le),
    ] as [(UInt32, UInt32, SampleEncoding)])
  func codings(_ tag: UInt32, _ bits: UInt32, _ encoding: SampleEncoding) {
    #expect(header(Containers.wav(sound, tag: tag, bits: bits))?.raw.encoding == encoding)
  }

  @Test("A coding that needs a decoder is left to one", arguments: [0x02, 0x11, 0x31, 0x55] as [UInt32])
  func otherCodings(_ tag: UInt32) {
    #expect(parse(Containers.wav(sound, tag: tag, bits: 4)) == .needsDecoder)
  }

  @Test("A size that the writer could not know is no size, and RF64 tells it elsewhere")
  func sizes() {
    #expect(header(Containers.wav(sound, riffSize: .max, dataSize: .max))?.dataByteCount == nil)
    let sizes = Containers.little(1_000) + Containers.little(0) + Containers.little(200) + Containers.little(0)
    var wav = Containers.wav(sound, riffSize: .max, dataSize: .max)
    wav.replaceSubrange(0..<4, with: Array("RF64".utf8))
    wav.insert(contentsOf: Containers.chunk("ds64", sizes + [UInt8](repeating: 0, count: 12)), at: 12)
    #expect(header(wav)?.dataByteCount == 200)
    #expect(header(wav)?.endOffset == 1_008)
  }

  @Test("Headers without sense are refused with a reason")
  func nonsense() {
    let invalid: [[UInt8]] = [
      Array("RIFX".utf8) + Array(repeating: 0, count: 40),
      Containers.wav(sound, rate: 0), Containers.wav(sound, rate: .max),
      Array("RIFF".utf8) + Containers.little(9) + Array("WAVE".utf8) + Containers.chunk("data", sound),
      Array("RIFF".utf8) + Containers.little(9) + Array("WAVE".utf8) + Containers.chunk("fmt ", [], size: .max),
      Array("RIFF".utf8) + Containers.little(9) + Array("WAVE".utf8) + Containers.chunk("fmt ", [1, 0]),
    ]
    for bytes in invalid {
      guard case .invalid(let reason) = parse(bytes) else {
        Issue.record("a header without sense was taken: \(bytes.prefix(16))")
        continue
      }
      #expect(!reason.isEmpty)
    }
    #expect(parse(Containers.wav(sound, channels: 0)) == .needsDecoder)
  }
}

@Suite struct WAVExtentTests {
  private func header(data: Int64?, end: Int64?) throws -> WAVHeader {
    WAVHeader(raw: try RawFormat(), dataOffset: 44, dataByteCount: data, endOffset: end)
  }

  private let noTail: [UInt8] = []

  @Test("An honest header is believed, and what stands behind the samples is left alone")
  func honest() throws {
    let header = try header(data: 1_000, end: 50_044)
    let tail = Array("LIST....".utf8)
    #expect(header.extent(fileByteCount: 50_044, tail: tail).limit == 1_000)
    #expect(header.extentInStream().limit == 1_000)
  }

  @Test("A header that promises too much gives what is there and says so")
  func tooMuch() throws {
    let extent = try header(data: 1_000_000, end: 1_000_036).extent(fileByteCount: 1_044, tail: noTail)
    #expect(extent.limit == nil)
    #expect(extent.promised == 1_000_000)
    #expect(extent.expected == 1_000)
  }

  @Test(
    "A stand-in for the size means as long as it lasts",
    arguments: [nil, 0, 0x7FFF_F000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FF00] as [Int64?])
  func standIns(_ size: Int64?) throws {
    let header = try header(data: size, end: 44)
    #expect(header.extent(fileByteCount: 1_044, tail: noTail) == PCMExtent(expected: 1_000))
    #expect(header.extentInStream() == .toTheEnd)
  }

  @Test("No samples are no samples when the header claims that something else follows")
  func trulyEmpty() throws {
    let header = try header(data: 0, end: 100)
    #expect(header.extent(fileByteCount: 100, tail: Array("LIST....".utf8)).limit == 0)
    #expect(header.extentInStream().limit == 0)
  }

  @Test("An old size is not believed when much more follows that is no chunk")
  func oldSize() throws {
    let header = try header(data: 1_000, end: 1_044)
    let extent = header.extent(fileByteCount: 101_044, tail: [1, 0, 2, 0, 3, 0, 2, 0])
    #expect(extent == PCMExtent(expected: 101_000, isUnderstated: true))
    #expect(header.extent(fileByteCount: 1_172, tail: [1, 0, 2, 0, 3, 0, 2, 0]).limit == 1_000)
    #expect(header.extent(fileByteCount: 101_044, tail: Array("id3 ....".utf8)).limit == 1_000)
  }
}
