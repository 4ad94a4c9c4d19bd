import AuricleAudio
@testable import AuricleLive
import AuricleRecognition

/// A voice detector that hears speech wherever the samples are loud, after two loud windows, as the real one does.
final class LoudnessDetector: VoiceDetector {
  private var loudWindows = 0

  func hearsSpeech(in window: [Float]) -> Bool {
    let isLoud = window.reduce(0) { $0 + abs($1) } > Float(window.count) * 0.05
    loudWindows = isLoud ? loudWindows + 1 : 0
    return loudWindows >= 2
  }

  func reset() { loudWindows = 0 }
}

/// A recogniser of a made-up language: each tenth of a second of a level is a word named by the level.
struct LevelDecoder: SpeechDecoder {
  func decode(_ samples: [Float]) -> String {
    let tenths = stride(from: 0, to: samples.count - 1_599, by: 1_600).map { start in
      Int((samples[start..<(start + 1_600)].reduce(0) { $0 + abs($1) } / 16).rounded())
    }
    return tenths.filter { $0 > 5 }.map { "w\($0)" }.joined(separator: " ")
  }
}

/// Audio written as levels, a tenth of a second each.
func audio(_ levels: [Float]) -> [Float] {
  levels.flatMap { [Float](repeating: $0, count: 1_600) }
}

/// A seeded source of numbers, the same on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

/// Audio with speech and silence of random lengths.
func randomAudio(seed: UInt64, tenths: Int) -> [Float] {
  var generator = SeededGenerator(seed: seed)
  var levels: [Float] = []
  while levels.count < tenths {
    let speech = Int.random(in: 1...40, using: &generator)
    levels += (0..<speech).map { _ in Float.random(in: 0.1...0.9, using: &generator) }
    levels += [Float](repeating: 0, count: Int.random(in: 1...20, using: &generator))
  }
  return audio(levels)
}

/// Windows as the session makes them.
func windows(of samples: [Float]) -> [VoiceWindow] {
  let detector = LoudnessDetector()
  return stride(from: 0, to: samples.count - 511, by: 512).map { start in
    let window = Array(samples[start..<(start + 512)])
    return VoiceWindow(
      startFrame: Int64(start), isSpeech: detector.hearsSpeech(in: window),
      power: window.reduce(0) { $0 + $1 * $1 } / 512)
  }
}

extension RecognitionResult {
  var transcript: Transcript? {
    if case .transcript(let transcript) = self { transcript } else { nil }
  }

  var final: Transcript? { transcript.flatMap { $0.isSentenceFinal ? $0 : nil } }

  var event: SessionEvent? {
    if case .event(let event) = self { event } else { nil }
  }
}

/// Counts from several threads.
final class Counter: Sendable {
  private let value = Guarded(0)
  func increment() { value.withLock { $0 += 1 } }
  var count: Int { value.withLock { $0 } }
}
