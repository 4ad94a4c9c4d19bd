import AuricleAudio
import AuricleResampling

/// FLAC or Ogg Opus, encoded by libsndfile.
///
/// Until it is finished the file has no length in its header; players read it all the same, and ``AudioRepair`` mends it.
final class EncodedWriter: AudioWriter {
  /// The rates that Opus has, in frames per second; others become the highest.
  private static let opusRates = [8_000, 12_000, 16_000, 24_000, 48_000]
  /// FLAC: one block of the encoder's, and the frame behind it that it waits for.
  private static let flacDelayFrameCount: Int64 = 4_097
  /// Opus: a page, a packet, and the encoder's and the resampler's delays, in parts of a second.
  private static let opusDelayDivisor: Int64 = 4

  let file: OpenFile
  private(set) var frameCount: Int64 = 0
  private let format: RecordingFormat
  private let audio: AudioFormat
  private let encoder: SndFileEncoder
  private let resampler: Resampler?
  private var isFinished = false

  /// Refuses what the format cannot hold.
  static func check(_ format: RecordingFormat, _ audio: AudioFormat) throws(RecordingError) {
    guard let coding = coding(format) else { return }
    guard SndFileEncoder.canWrite(coding, sampleRate: rate(format, audio), channelCount: audio.channelCount) else {
      let words = "\(format.rawValue) cannot hold \(audio.sampleRate) Hz with \(audio.channelCount) channels"
      throw RecordingError(.unsupportedFormat, "\(words); record as wav")
    }
  }

  /// Writes the header.
  init(_ file: OpenFile, _ format: RecordingFormat, _ audio: AudioFormat) throws(WriteFault) {
    guard let coding = Self.coding(format) else { preconditionFailure("\(format) has no encoder") }
    self.file = file
    self.format = format
    self.audio = audio
    let rate = Self.rate(format, audio)
    encoder = try SndFileEncoder(file, coding, sampleRate: rate, channelCount: audio.channelCount)
    guard rate != audio.sampleRate else {
      resampler = nil
      return
    }
    resampler = try Self.resampling { () throws(AudioError) in
      try Resampler(from: audio.sampleRate, to: rate, channelCount: audio.channelCount)
    }
  }

  private static func coding(_ format: RecordingFormat) -> SndFileEncoder.Coding? {
    switch format {
    case .wav: nil
    case .flac: .flac
    case .opus: .opus
    }
  }

  private static func rate(_ format: RecordingFormat, _ audio: AudioFormat) -> Int {
    format == .opus && !opusRates.contains(audio.sampleRate) ? 48_000 : audio.sampleRate
  }

  var byteCount: Int64 { encoder.byteCount }

  var settledFrameCount: Int64 {
    if isFinished { return frameCount }
    let delay = format == .flac ? Self.flacDelayFrameCount : Int64(audio.sampleRate) / Self.opusDelayDivisor
    return max(0, frameCount - delay)
  }

  func write(_ samples: [Int16]) throws(WriteFault) {
    if let resampler {
      let floats = samples.map { Float(Int16(littleEndian: $0)) / 32_768 }
      try encoder.write(Self.resampling { () throws(AudioError) in try resampler.process(floats) })
    } else {
      // libsndfile takes the machine's own byte order, which is little-endian on every platform of ours.
      try encoder.write(samples)
    }
    frameCount += Int64(samples.count / audio.channelCount)
  }

  /// A second at most.
  func writeSilence(_ frameCount: Int64) throws(WriteFault) -> Int64 {
    let count = min(frameCount, Int64(audio.sampleRate))
    try write([Int16](repeating: 0, count: Int(count) * audio.channelCount))
    return count
  }

  func finish() throws(WriteFault) {
    if let resampler { try encoder.write(Self.resampling { () throws(AudioError) in try resampler.finish() }) }
    try encoder.close()
    isFinished = true
  }

  private static func resampling<Result>(_ body: () throws(AudioError) -> Result) throws(WriteFault) -> Result {
    do { return try body() } catch { throw .encoder(error.message) }
  }

  func mend() throws(WriteFault) {
    encoder.abandon()
    isFinished = true
    let repaired = try AudioRepair.mend(file, format)
    frameCount = repaired.frameCount * Int64(audio.sampleRate) / Int64(repaired.sampleRate)
  }
}
