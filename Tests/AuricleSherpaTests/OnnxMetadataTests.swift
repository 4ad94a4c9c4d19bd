import Foundation
import Testing

@testable import AuricleSherpa

@Suite("ONNX metadata is read without the graph")
struct OnnxMetadataTests {
  private func varint(_ value: UInt64) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
  }

  private func field(_ number: UInt64, _ body: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(body.count)) + body
  }

  private func entry(_ key: String, _ value: String) -> [UInt8] {
    field(14, field(1, Array(key.utf8)) + field(2, Array(value.utf8)))
  }

  private var file: [UInt8] {
    varint(1 << 3) + varint(8) + field(2, Array("toy".utf8)) + field(7, [UInt8](repeating: 1, count: 300))
      + entry("model_type", "zipformer2") + field(8, [8, 13]) + entry("T", "45") + entry("empty", "")
  }

  private func read(_ bytes: [UInt8], size: UInt64? = nil) throws(OnnxMetadata.Failure) -> [String: String] {
    try OnnxMetadata(size: size ?? UInt64(bytes.count)) { offset, count in
      Array(bytes.dropFirst(Int(clamping: offset)).prefix(count))
    }.properties
  }

  @Test("All entries are found, wherever they stand")
  func entries() throws {
    #expect(try read(file) == ["model_type": "zipformer2", "T": "45", "empty": ""])
  }

  @Test("The graph is not read")
  func graphIsSkipped() throws {
    var longest = 0
    let bytes = field(7, [UInt8](repeating: 0, count: 1_000_000)) + entry("a", "b")
    let metadata = try OnnxMetadata(size: UInt64(bytes.count)) { offset, count in
      longest = max(longest, count)
      return Array(bytes.dropFirst(Int(offset)).prefix(count))
    }
    #expect(metadata.properties == ["a": "b"])
    #expect(longest < 100)
  }

  @Test("A file that ends in the graph is cut off; other files are none")
  func damaged() {
    #expect(throws: OnnxMetadata.Failure.cutOff) { try read(Array(file.prefix(100))) }
    #expect(throws: OnnxMetadata.Failure.notONNX) { try read([]) }
    #expect(throws: OnnxMetadata.Failure.notONNX) { try read(Array("<html>404 Not Found</html>".utf8)) }
    #expect(throws: OnnxMetadata.Failure.notONNX) { try read(Array("version https://git-lfs.github.com".utf8)) }
    #expect(throws: OnnxMetadata.Failure.notONNX) { try read([UInt8](repeating: 0xFF, count: 64)) }
  }

  @Test("Lengths up to the largest number ask for nothing")
  func hugeLengths() {
    for value in [UInt64.max, UInt64.max / 2, 1 << 40] {
      for number in [7, 14, 3] as [UInt64] {
        let bytes = varint(number << 3 | 2) + varint(value) + [1, 2, 3]
        #expect(throws: OnnxMetadata.Failure.self) { try read(bytes) }
        let inner = varint(1 << 3 | 2) + varint(value) + [1, 2, 3]
        #expect((try? read(field(7, [1]) + field(14, inner))) == [:])
      }
    }
  }

  @Test("Thousands of damaged files neither crash nor ask for much")
  func fuzz() {
    var random = SeededRandom(20)
    var whole = 0
    for _ in 0..<5_000 {
      var bytes = file
      for _ in 0...Int.random(in: 0..<6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 9))
        default: bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF, 0x7F], at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      let properties = try? OnnxMetadata(size: UInt64(bytes.count)) { offset, count in
        #expect(count <= 1 << 20)
        return Array(bytes.dropFirst(Int(clamping: offset)).prefix(count))
      }.properties
      if properties != nil { whole += 1 }
    }
    #expect((1..<5_000).contains(whole), "some are still readable, most are not")
  }
}

/// SplitMix64: a generator whose numbers depend on its seed alone.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
