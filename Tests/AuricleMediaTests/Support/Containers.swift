import Foundation

/// Small writers of containers, for tests that need odd ones.
enum Containers {
  static func little(_ value: UInt32, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }

  static func big(_ value: UInt32, _ count: Int = 4) -> [UInt8] { little(value, count).reversed() }

  static func chunk(_ name: String, _ content: [UInt8], size: UInt32? = nil) -> [UInt8] {
    Array(name.utf8) + little(size ?? UInt32(content.count)) + content + (content.count % 2 == 1 ? [0] : [])
  }

  static func format(tag: UInt32, channels: UInt32, rate: UInt32, bits: UInt32, frame: UInt32? = nil) -> [UInt8] {
    let frame = frame ?? channels * bits / 8
    return chunk(
      "fmt ",
      little(tag, 2) + little(channels, 2) + little(rate) + little(rate &* frame) + little(frame, 2)
        + little(bits, 2))
  }

  /// A WAV, with any size that one likes in its header.
  static func wav(
    _ data: [UInt8], tag: UInt32 = 1, channels: UInt32 = 1, rate: UInt32 = 16_000, bits: UInt32 = 16,
    before: [UInt8] = [], after: [UInt8] = [], riffSize: UInt32? = nil, dataSize: UInt32? = nil
  ) -> [UInt8] {
    let body =
      Array("WAVE".utf8) + format(tag: tag, channels: channels, rate: rate, bits: bits) + before
      + chunk("data", data, size: dataSize) + after
    return Array("RIFF".utf8) + little(riffSize ?? UInt32(body.count)) + body
  }

  /// An AIFF of 16-bit mono.
  static func aiff(_ samples: [Int16], formSize: UInt32? = nil) -> [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + big(UInt32(content.count)) + content
    }
    let rate: [UInt8] = [0x40, 0x0C, 0xFA, 0x00, 0, 0, 0, 0, 0, 0]
    let common = big(1, 2) + big(UInt32(samples.count)) + big(16, 2) + rate
    let sound = [UInt8](repeating: 0, count: 8) + samples.flatMap { big(UInt32(UInt16(bitPattern: $0)), 2) }
    let body = Array("AIFF".utf8) + chunk("COMM", common) + chunk("SSND", sound)
    return Array("FORM".utf8) + big(formSize ?? UInt32(body.count)) + body
  }

  /// An AU of 16-bit mono.
  static func au(_ samples: [Int16]) -> [UInt8] {
    let sound = samples.flatMap { big(UInt32(UInt16(bitPattern: $0)), 2) }
    return Array(".snd".utf8) + big(24) + big(UInt32(sound.count)) + big(3) + big(16_000) + big(1) + sound
  }

  /// A SPHERE of 16-bit mono.
  static func sphere(_ samples: [Int16], sampleCount: Int? = nil) -> [UInt8] {
    let text = """
      NIST_1A
         1024
      channel_count -i 1
      sample_count -i \(sampleCount ?? samples.count)
      sample_rate -i 16000
      sample_n_bytes -i 2
      sample_byte_format -s2 01
      sample_sig_bits -i 16
      end_head

      """
    let header = Array(text.utf8)
    return header + [UInt8](repeating: 0x20, count: 1_024 - header.count) + s16le(samples)
  }

  static func s16le(_ samples: [Int16]) -> [UInt8] {
    samples.flatMap { little(UInt32(UInt16(bitPattern: $0)), 2) }
  }

  static func f32le(_ samples: [Float]) -> [UInt8] { samples.flatMap { little($0.bitPattern) } }
}

/// Sounds that are the same in every run.
enum Sounds {
  /// A swept tone, as 16-bit numbers.
  static func sweep(_ count: Int) -> [Int16] {
    (0..<count).map { index in
      let time = Double(index) / 16_000
      return Int16(12_000 * sin(2 * .pi * (200 * time + 300 * time * time)))
    }
  }

  /// Noise from a fixed seed, within ±0.5.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
    var random = SeededRandom(seed)
    return (0..<count).map { _ in Float(random.next() >> 40) / Float(1 << 24) - 0.5 }
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
