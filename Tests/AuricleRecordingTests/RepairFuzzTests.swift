import AuricleAudio
import Foundation
import Testing

@testable import AuricleRecording

/// Damaged recordings by the hundred, the same ones in every run; `AURICLE_FUZZ_ITERATIONS` sets how many of each kind.
@Suite(.timeLimit(.minutes(30))) struct RepairFuzzTests {
  /// Seeds that once cost audio: a damaged header behind a whole FLAC frame, a damaged beginning, a torn page behind a hole.
  private static let foundOnce: [UInt64] = [4_680, 5_924, 14_451, 21_959, 23_529, 23_962]
  private let temporary: TemporaryFolder
  init() throws { temporary = try TemporaryFolder() }

  @Test(
    "Damaged bytes never crash a repair, cost no audio that could be decoded, and a second repair changes nothing",
    arguments: AudioRepairTests.formats, [true, false])
  func anyDamage(_ format: RecordingFormat, _ isFinished: Bool) throws {
    let samples = Sounds.tone(12_000, rate: 16_000)
    let bytes =
      try isFinished
      ? AudioRepairTests.finished(format, .speech, samples) : AudioRepairTests.killed(format, .speech, samples)
    for seed in Array(0..<Fuzz.iterations) + Self.foundOnce {
      let damaged = Mutation.damaged(bytes, seed: seed)
      let path = try temporary.file("audio.\(format)", damaged)
      let before = Decoded(path, limit: 20_000)
      guard let repaired = try? AudioRepair.repair(path, format: format) else {
        #expect(Array(try Data(contentsOf: URL(filePath: path))) == damaged)
        continue
      }
      let after = Decoded(path, limit: 20_000)
      // Where the first page of sound is damaged, libsndfile takes the encoder's running up from the second.
      let tolerance = format == .opus ? 104 : 0
      #expect((after?.samples.count ?? 0) >= (before?.samples.count ?? 0) - tolerance, "seed \(seed)")
      let again = try AudioRepair.repair(path, format: format)
      #expect(!again.wasChanged && again.frameCount == repaired.frameCount, "seed \(seed)")
    }
  }
}

/// Damage of the kinds that happen, and of those that somebody does on purpose.
enum Mutation {
  static func damaged(_ whole: [UInt8], seed: UInt64) -> [UInt8] {
    var random = SeededRandom(seed &* 0x1_0001)
    var bytes = whole
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let reach = Int.random(in: 0...3, using: &random) < 2 ? min(128, bytes.count) : bytes.count
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

enum Fuzz {
  private static let environment = ProcessInfo.processInfo.environment
  static let iterations = environment["AURICLE_FUZZ_ITERATIONS"].flatMap(UInt64.init) ?? 200
}
