import AuricleAudio
import AuricleMedia
import Foundation
import Testing

/// Damaged files by the hundred, the same ones in every run: none may crash, hang, or give anything but audio or an error.
///
/// `AURICLE_FUZZ_ITERATIONS` sets how many of each kind, `AURICLE_FUZZ_SEED` where they begin. After a crash the file
/// that caused it is still in the temporary folder, as `auricle-test-…/input`.
@Suite(.timeLimit(.minutes(30))) struct FuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let iterations = environment["AURICLE_FUZZ_ITERATIONS"].flatMap(UInt64.init) ?? 60
  private static let firstSeed = environment["AURICLE_FUZZ_SEED"].flatMap(UInt64.init) ?? 0

  private static let small = Containers.s16le(Sounds.sweep(2_000))
  private static let written: [(String, [UInt8])] = [
    ("WAV", Containers.wav(small, before: Containers.chunk("LIST", [1, 2, 3]))),
    ("float WAV", Containers.wav(Containers.f32le(Sounds.noise(1_000)), tag: 3, channels: 2, bits: 32)),
    ("ADPCM WAV", Containers.wav(small, tag: 0x11, bits: 4)),
    ("AIFF", Containers.aiff(Sounds.sweep(2_000))),
    ("AU", Containers.au(Sounds.sweep(2_000))),
    ("SPHERE", Containers.sphere(Sounds.sweep(2_000))),
  ]
  private static let recorded = [
    "formats/jfk.mp3", "formats/sr_stereo-24-bit-44100Hz.flac", "formats/silero_test.opus",
    "broken/tt_corrupt_metadata.ogg", "broken/tt_adpcm_no_byterate.wav", "broken/tt_24bit_pcm_extended.wav",
  ]

  @Test("Containers that we write ourselves survive any damage", arguments: written.indices)
  func damageToWritten(_ index: Int) async throws {
    try await damage(Self.written[index].1)
  }

  @Test(
    "Recorded files survive any damage",
    .enabled(if: Recordings.areHere, "the recordings are not beside the checkout"), arguments: recorded)
  func damageToRecorded(_ name: String) async throws {
    try await damage(Array(try Recordings.bytes(name).prefix(60_000)))
  }

  @Test("Pure noise behind any known beginning survives")
  func noiseBehindSignatures() async throws {
    let beginnings = [
      "RIFF....WAVEfmt ", "RF64....WAVEds64", "FORM....AIFFCOMM", "FORM....AIFCCOMM", "fLaC", "OggS", ".snd",
      "NIST_1A\n", "caff", "RIFX....WAVEfmt ", "Creative Voice File\u{1A}", " paf", "fap ", "PVF1", "ID3\u{3}", "riff",
      "dns.",
    ]
    for (index, text) in beginnings.enumerated() {
      var random = SeededRandom(Self.firstSeed &+ UInt64(index))
      for _ in 0..<Self.iterations / 4 {
        let count = Int.random(in: 0...3_000, using: &random)
        let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        try await survive(Array(text.utf8) + noise)
      }
    }
  }

  private func damage(_ whole: [UInt8]) async throws {
    for seed in Self.firstSeed..<Self.firstSeed + Self.iterations {
      try await survive(Mutation.damaged(whole, seed: seed))
    }
  }

  /// Reads the bytes as a file and as a stream, up to a length that no honest input here has.
  private func survive(_ bytes: [UInt8]) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("input", bytes)
    let handle = try #require(FileHandle(forReadingAtPath: path))
    let opens: [() async throws -> any AudioSource] = [
      { try await FileSource(path: path, ffmpeg: nil) },
      { try await PipeSource(fileDescriptor: handle.fileDescriptor, ffmpeg: nil) },
      { try await FileSource(path: path, raw: RawFormat(encoding: .f32le, channelCount: 2)) },
    ]
    for open in opens {
      _ = try await failure {
        let source = SpeechSource(try await open())
        var count = 0
        while count < 1_000_000, let chunk = try await source.next(maxFrames: 10_000) {
          guard case .audio(let block) = chunk else { continue }
          count += block.frameCount
          #expect(block.samples.allSatisfy { $0.isFinite })
        }
      }
    }
  }
}

/// Damage of the kinds that happen, and of those that somebody does on purpose.
enum Mutation {
  static func damaged(_ whole: [UInt8], seed: UInt64) -> [UInt8] {
    var random = SeededRandom(seed &* 0x1_0001)
    var bytes = whole
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      // Three of four hits go to the header, where the decisions are.
      let reach = Int.random(in: 0...3, using: &random) < 3 ? min(128, bytes.count) : bytes.count
      damage(&bytes, at: Int.random(in: 0..<reach, using: &random), &random)
    }
    return bytes
  }

  private static func damage(_ bytes: inout [UInt8], at place: Int, _ random: inout SeededRandom) {
    let length = min(Int.random(in: 1...8, using: &random), bytes.count - place)
    switch Int.random(in: 0...6, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.replaceSubrange(place..<place + length, with: repeatElement(0xFF, count: length))
    case 3: bytes.replaceSubrange(place..<place + length, with: repeatElement(0, count: length))
    case 4: bytes.removeSubrange(place..<place + length)
    case 5: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
    default: bytes.removeLast(bytes.count - place)
    }
  }
}
