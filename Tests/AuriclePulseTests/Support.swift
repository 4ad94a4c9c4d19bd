import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuriclePulse
import AuricleTestKit
import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips, visibly, where there is no server to test with.
  static var needsPulseAudio: Self {
    .enabled("pulseaudio, pactl and paplay are not installed") { PulseServer.isInstalled }
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

/// A sound of which each frame tells its number.
struct NumberedSound {
  let sink: PulseServer.Sink
  let frameCount: Int

  /// Never silent, so that the first frame can be found: 1…32,000, and the second channel counts down.
  func sample(_ frame: Int, _ channel: Int) -> Int16 {
    let number = Int16(frame % 32_000 + 1)
    return channel == 0 ? number : -number
  }

  /// What a recording of it must hold.
  var samples: [Float] {
    (0..<frameCount).flatMap { frame in
      (0..<sink.channelCount).map { Float(sample(frame, $0)) / 32_768 }
    }
  }

  /// Writes it as a WAV file.
  func write(to path: String) throws {
    let dataCount = frameCount * sink.channelCount * 2
    var bytes = Data("RIFF".utf8)
    bytes.append(UInt32(36 + dataCount))
    bytes.append(Data("WAVEfmt ".utf8))
    bytes.append(UInt32(16))
    bytes.append(UInt16(1))
    bytes.append(UInt16(sink.channelCount))
    bytes.append(UInt32(sink.sampleRate))
    bytes.append(UInt32(sink.sampleRate * sink.channelCount * 2))
    bytes.append(UInt16(sink.channelCount * 2))
    bytes.append(UInt16(16))
    bytes.append(Data("data".utf8))
    bytes.append(UInt32(dataCount))
    for frame in 0..<frameCount {
      for channel in 0..<sink.channelCount { bytes.append(UInt16(bitPattern: sample(frame, channel))) }
    }
    try bytes.write(to: URL(filePath: path))
  }
}

extension Data {
  fileprivate mutating func append(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

/// Everything that a source delivered.
struct Heard: Sendable {
  var samples: [Float] = []
  var gaps: [AudioGap] = []
  var events: [CaptureEvent] = []
  var end: Int64 = 0
  /// Chunks that did not follow on from the one before.
  var misplacedCount = 0

  mutating func add(_ chunk: AudioChunk) {
    switch chunk {
    case .audio(let block):
      if block.startFrame != end { misplacedCount += 1 }
      samples += block.samples
      end = block.frames.upperBound
    case .gap(let gap):
      if gap.frames.lowerBound != end { misplacedCount += 1 }
      gaps.append(gap)
      end = gap.frames.upperBound
    case .notice(let notice): events.append(CaptureEvent(notice))
    }
  }

  /// The events of these kinds, in order.
  func events(_ kinds: CaptureEvent.Kind...) -> [CaptureEvent] { events.filter { kinds.contains($0.kind) } }

  /// The pitch of the last samples, by their zero crossings, in Hz.
  func pitch(lastSeconds seconds: Double, _ format: AudioFormat) -> Double {
    let all = stride(from: 0, to: samples.count, by: format.channelCount).map { samples[$0] }
    let last = Array(all.suffix(Int(seconds * Double(format.sampleRate))))
    let rises = last.indices.dropFirst().filter { last[$0 - 1] < 0 && last[$0] >= 0 }
    guard let first = rises.first, let final = rises.last, first < final else { return 0 }
    return Double(rises.count - 1) * Double(format.sampleRate) / Double(final - first)
  }

  /// The samples without the silence before and after them.
  var sound: [Float] {
    guard let first = samples.firstIndex(where: { $0 != 0 }), let last = samples.lastIndex(where: { $0 != 0 }) else {
      return []
    }
    return Array(samples[first...last])
  }

  /// How many frames are missing for a reason.
  func missing(_ reason: AudioGap.Reason) -> Int64 {
    gaps.filter { $0.reason == reason }.reduce(0) { $0 + Int64($1.frames.count) }
  }
}

extension AudioSource {
  /// Reads until the end.
  func everything() async throws -> Heard {
    var heard = Heard()
    while let chunk = try await next(maxFrames: 4_096) { heard.add(chunk) }
    return heard
  }

  /// Reads until the error that ends it.
  func untilFailure() async -> (heard: Heard, error: AudioError?) {
    var heard = Heard()
    do {
      while let chunk = try await next(maxFrames: 4_096) { heard.add(chunk) }
      return (heard, nil)
    } catch {
      return (heard, error as? AudioError)
    }
  }
}

/// Waits, within reason, until something is so.
func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
  let deadline = ContinuousClock.now + .seconds(20)
  while try await !isSo() {
    guard ContinuousClock.now < deadline else { return false }
    try await Task.sleep(for: .milliseconds(5))
  }
  return true
}
