import AuricleAudio
import AuricleConsent
import Foundation

@testable import AuricleCapture

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

extension ConsentGate {
  /// A gate that somebody opened.
  static func opened() throws -> ConsentGate {
    let gate = ConsentGate()
    try gate.grant(ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: "1"))
    return gate
  }
}

extension CaptureRing {
  func offer(_ samples: [Float]) {
    samples.withUnsafeBufferPointer { offer($0) }
  }

  /// Everything that is there, in pieces of so many frames.
  func drain(maxFrames: Int = .max) -> [AudioChunk] {
    var chunks: [AudioChunk] = []
    while let chunk = next(maxFrames: maxFrames) { chunks.append(chunk) }
    return chunks
  }
}

/// A sample that tells its frame and channel: a float holds it exactly.
func sample(_ frame: Int64, _ channel: Int) -> Float { Float((frame * 4 + Int64(channel)) & 0xF_FFFF) }

/// The samples of consecutive frames.
func samples(_ frames: Range<Int64>, channels: Int) -> [Float] {
  frames.flatMap { frame in (0..<channels).map { sample(frame, $0) } }
}

/// Runs on a thread of its own: both ends of a race spin, and must not wait for each other's turn in a pool.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
