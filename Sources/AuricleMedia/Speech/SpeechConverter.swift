import AuricleAudio
import AuricleResampling

/// Turns runs of frames of any format into runs of 16 kHz mono frames, and keeps both numberings together.
///
/// The result never depends on how a run was cut up: the resampler is fed in pieces of a fixed size.
struct SpeechConverter {
  /// The resampler's piece, as a part of a second.
  private static let piecesPerSecond = 100

  private let input: AudioFormat
  private let pieceFrameCount: Int
  private var resampler: Resampler?
  private var waiting: [Float] = []
  /// Input frames of the run so far, counted in the stream's own numbering.
  private var inputEnd: Int64
  /// The next output frame's number.
  private(set) var outputEnd: Int64

  /// Begins the first run.
  /// - Parameter startFrame: The number of its first frame, at the input's rate.
  init(_ input: AudioFormat, startFrame: Int64) {
    self.input = input
    pieceFrameCount = max(1, input.sampleRate / Self.piecesPerSecond)
    inputEnd = startFrame
    outputEnd = Self.outputFrame(startFrame, input)
  }

  /// The number of a frame, rounded to the nearest, at 16 kHz.
  static func outputFrame(_ frame: Int64, _ input: AudioFormat) -> Int64 {
    let rate = Int128(input.sampleRate)
    let exact = (Int128(frame) * Int128(2 * AudioFormat.speech.sampleRate) + rate) / (2 * rate)
    return Int64(clamping: exact)
  }

  /// Takes the run's next frames.
  /// - Returns: The output frames that are ready, which may be none.
  mutating func convert(_ samples: [Float]) throws(AudioError) -> [Float] {
    let mono = Self.mono(samples, channelCount: input.channelCount)
    inputEnd += Int64(mono.count)
    guard input.sampleRate != AudioFormat.speech.sampleRate else { return delivered(mono) }
    waiting += mono
    var output: [Float] = []
    let whole = waiting.count - waiting.count % pieceFrameCount
    for start in stride(from: 0, to: whole, by: pieceFrameCount) {
      try feed(waiting[start..<start + pieceFrameCount], &output)
    }
    waiting.removeFirst(whole)
    return delivered(output)
  }

  /// Ends the run.
  /// - Returns: The frames that were held back; with them the run has exactly as many as its length asks for.
  mutating func finishRun() throws(AudioError) -> [Float] {
    let total = Self.outputFrame(inputEnd, input)
    guard input.sampleRate != AudioFormat.speech.sampleRate else { return [] }
    var output: [Float] = []
    if !waiting.isEmpty { try feed(waiting[...], &output) }
    if let resampler { output += try resampler.finish() }
    waiting = []
    resampler = nil
    let wanted = Int(max(0, total - outputEnd))
    output = Array(output.prefix(wanted))
    output += [Float](repeating: 0, count: wanted - output.count)
    return delivered(output)
  }

  /// Begins another run behind frames that are missing.
  /// - Parameter frame: The number of its first frame, at the input's rate.
  mutating func beginRun(at frame: Int64) {
    inputEnd = frame
    outputEnd = Self.outputFrame(frame, input)
  }

  /// The average of the channels.
  static func mono(_ samples: [Float], channelCount: Int) -> [Float] {
    guard channelCount > 1 else { return samples }
    let scale = 1 / Float(channelCount)
    return [Float](unsafeUninitializedCapacity: samples.count / channelCount) { target, count in
      count = samples.count / channelCount
      for frame in 0..<count {
        var sum: Float = 0
        for channel in 0..<channelCount { sum += samples[frame * channelCount + channel] }
        target[frame] = sum * scale
      }
    }
  }

  private mutating func feed(_ piece: ArraySlice<Float>, _ output: inout [Float]) throws(AudioError) {
    if resampler == nil {
      resampler = try Resampler(from: input.sampleRate, to: AudioFormat.speech.sampleRate, channelCount: 1)
    }
    if let resampler { output += try resampler.process(piece) }
  }

  private mutating func delivered(_ samples: [Float]) -> [Float] {
    outputEnd += Int64(samples.count)
    return samples
  }
}
