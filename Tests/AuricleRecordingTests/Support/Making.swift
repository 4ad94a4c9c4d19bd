import AuricleAudio
import Foundation

@testable import AuricleRecording

/// Sounds whose samples are known.
enum Sounds {
  /// Seeded 16-bit noise over the whole range.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [Int16] {
    var random = SeededRandom(seed)
    return (0..<count).map { _ in Int16.random(in: .min ... .max, using: &random) }
  }

  /// A tone with some noise on it, as encoders like it.
  static func tone(_ frameCount: Int, rate: Int, channels: Int = 1, seed: UInt64 = 1) -> [Int16] {
    var random = SeededRandom(seed)
    return (0..<frameCount * channels).map { index in
      let angle = Double(index / channels) * 2 * .pi * 440 / Double(rate)
      return Int16(8_000 * sin(angle)) + Int16.random(in: -300...300, using: &random)
    }
  }
}

extension AudioFormat {
  static func of(_ rate: Int, _ channels: Int) -> AudioFormat {
    // The tests ask for formats that exist.
    guard let format = try? AudioFormat(sampleRate: rate, channelCount: channels) else { preconditionFailure() }
    return format
  }

  /// A block of 16-bit samples.
  func block(at frame: Int64, _ samples: some Collection<Int16>) -> PCMBlock {
    PCMBlock(format: self, startFrame: frame, samples: samples.map { Float($0) / 32_768 })
  }

  func gap(_ frames: Range<Int64>, _ reason: AudioGap.Reason = .paused) -> AudioGap {
    AudioGap(frames: frames, sampleRate: sampleRate, reason: reason)
  }
}

/// A recorder in a folder of its own.
struct Making {
  let temporary: TemporaryFolder
  let folder: RecordingFolder
  let recorder: Recorder
  let format: RecordingFormat
  let audio: AudioFormat

  init(
    _ format: RecordingFormat = .wav, _ audio: AudioFormat = .speech, keepsSpool: Bool = true,
    limits: RecorderLimits = RecorderLimits(freeByteFloor: 0), calls: ChangingCalls = .system,
    isInMemory: Bool = true, elapsed: @escaping @Sendable () -> Duration = { .zero }
  ) throws {
    temporary = try TemporaryFolder(isInMemory: isInMemory)
    folder = try RecordingFolder.create(in: temporary.path, named: "one")
    self.format = format
    self.audio = audio
    recorder = try Recorder(
      folder: folder, format: format, audio: audio, keepsSpool: keepsSpool, limits: limits, elapsed: elapsed,
      calls: calls)
  }

  var path: String { folder.audioPath(format) }

  /// Appends samples in blocks of so many frames.
  func append(_ samples: [Int16], at start: Int64 = 0, blocks: Int = 4_096) throws {
    let channels = audio.channelCount
    for first in stride(from: 0, to: samples.count, by: blocks * channels) {
      let piece = samples[first..<min(samples.count, first + blocks * channels)]
      try recorder.append(audio.block(at: start + Int64(first / channels), piece))
    }
  }

  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
}

/// Reads a tail to its end.
struct TailReading: Equatable {
  var samples: [Int16] = []
  /// Gaps, neighbours of one reason as one.
  var gaps: [AudioGap] = []
  var failure: AudioError?

  static func all(_ tail: TailSource, maxFrames: Int = 1_000) async throws -> TailReading {
    var reading = TailReading()
    let channels = tail.format.channelCount
    do {
      while let chunk = try await tail.next(maxFrames: maxFrames) { reading.take(chunk, channels) }
    } catch let error as AudioError {
      reading.failure = error
    }
    return reading
  }

  private mutating func take(_ chunk: AudioChunk, _ channels: Int) {
    switch chunk {
    case .audio(let block):
      precondition(block.startFrame == Int64(samples.count / channels), "the numbering has a hole")
      samples += block.samples.map { Int16($0 * 32_768) }
    case .gap(let gap):
      samples += [Int16](repeating: 0, count: gap.frames.count * channels)
      if let last = gaps.last, last.frames.upperBound == gap.frames.lowerBound, last.reason == gap.reason {
        let frames = last.frames.lowerBound..<gap.frames.upperBound
        gaps[gaps.count - 1] = AudioGap(frames: frames, sampleRate: gap.sampleRate, reason: gap.reason)
      } else {
        gaps.append(gap)
      }
    case .notice: break
    }
  }
}
