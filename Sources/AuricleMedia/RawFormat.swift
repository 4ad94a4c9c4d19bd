import AuricleAudio

/// What headerless PCM cannot say about itself.
public struct RawFormat: Hashable, Sendable {
  /// How a sample is written as bytes.
  public let encoding: SampleEncoding
  /// The rate and the channels, interleaved.
  public let format: AudioFormat

  /// Creates a description of headerless PCM.
  /// - Parameters:
  ///   - encoding: How a sample is written as bytes.
  ///   - sampleRate: Frames per second, within `AudioFormat.sampleRates`.
  ///   - channelCount: Samples per frame, within `AudioFormat.channelCounts`.
  /// - Throws: `AudioError` of kind `unsupportedFormat` when a number is out of its range.
  public init(
    encoding: SampleEncoding = .s16le, sampleRate: Int = 16_000, channelCount: Int = 1
  ) throws(AudioError) {
    self.encoding = encoding
    format = try AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
  }
}
