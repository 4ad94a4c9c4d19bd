import AuricleAudio
import AuricleResampling

/// Turns blocks of any format into interleaved samples of one format. Each frame is fed exactly once.
struct RecordConverter {
  private let output: AudioFormat
  private var input: AudioFormat?
  private var resampler: Resampler?

  /// - Parameter output: One or two channels.
  init(to output: AudioFormat) { self.output = output }

  /// Takes a block.
  /// - Returns: What is ready; the resampler holds a little back.
  /// - Throws: `AudioError` of kind `readFailed`, when a sample is not a finite number: such a block is left out whole.
  mutating func convert(_ block: PCMBlock) throws(AudioError) -> [Float] {
    guard block.samples.areFinite else {
      throw AudioError(.readFailed, "the microphone delivered samples that are not numbers")
    }
    var converted: [Float] = []
    if block.format != input {
      converted = try finishRun()
      try begin(block.format)
    }
    let samples = Self.channels(block, output.channelCount)
    let made = try resampler?.process(samples) ?? samples
    return converted.isEmpty ? made : converted + made
  }

  /// Ends a run of frames: what was held back.
  mutating func finishRun() throws(AudioError) -> [Float] {
    defer {
      input = nil
      resampler = nil
    }
    return try resampler?.finish() ?? []
  }

  /// How many elements missing frames take.
  func elementCount(of gap: AudioGap) -> Int {
    let seconds = Double(gap.frames.count) / Double(gap.sampleRate)
    return Int(clamping: output.frames(seconds: seconds)) * output.channelCount
  }

  private mutating func begin(_ format: AudioFormat) throws(AudioError) {
    input = format
    resampler =
      format.sampleRate == output.sampleRate
      ? nil : try Resampler(from: format.sampleRate, to: output.sampleRate, channelCount: output.channelCount)
  }

  /// As many channels as are wanted: one becomes two alike, several become their average.
  private static func channels(_ block: PCMBlock, _ wanted: Int) -> [Float] {
    let count = block.format.channelCount
    if count == wanted { return block.samples }
    var result: [Float] = []
    result.reserveCapacity(block.frameCount * wanted)
    for frame in 0..<block.frameCount {
      let first = frame * count
      let mono = block.samples[first..<(first + count)].reduce(0, +) / Float(count)
      for _ in 0..<wanted { result.append(mono) }
    }
    return result
  }
}

extension [Float] {
  /// Whether all are numbers. Looks at the exponents' bits without a branch, which the optimizer does eight at a time.
  fileprivate var areFinite: Bool {
    withUnsafeBufferPointer { samples in
      var isOther: UInt32 = 0
      let exponent: UInt32 = 0x7F80_0000
      for sample in samples {
        // Carries into the top bit if, and only if, all bits of the exponent are set.
        isOther |= (sample.bitPattern & exponent) &+ 0x0080_0000
      }
      return isOther & 0x8000_0000 == 0
    }
  }
}
