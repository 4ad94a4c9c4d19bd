/// The shape of a PCM stream: how many frames a second, and how many samples a frame.
///
/// Samples are always 32-bit floats, interleaved, with full scale at ±1.
public struct AudioFormat: Hashable, Sendable {
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int

  /// The rates that any part of Auricle accepts, in frames per second.
  public static let sampleRates = 1_000...768_000
  /// The channel counts that any part of Auricle accepts.
  public static let channelCounts = 1...64

  /// Creates a format.
  /// - Parameters:
  ///   - sampleRate: Frames per second, within ``sampleRates``.
  ///   - channelCount: Samples per frame, within ``channelCounts``.
  /// - Throws: ``AudioError`` of kind `unsupportedFormat` when a number is out of its range.
  public init(sampleRate: Int, channelCount: Int) throws(AudioError) {
    guard Self.sampleRates.contains(sampleRate) else {
      throw AudioError(.unsupportedFormat, "a sample rate of \(sampleRate) Hz is outside \(Self.sampleRates)")
    }
    guard Self.channelCounts.contains(channelCount) else {
      throw AudioError(.unsupportedFormat, "\(channelCount) channels are outside \(Self.channelCounts)")
    }
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  private init(uncheckedSampleRate: Int, channelCount: Int) {
    self.sampleRate = uncheckedSampleRate
    self.channelCount = channelCount
  }

  /// 16,000 Hz mono: what recognisers listen to.
  public static let speech = AudioFormat(uncheckedSampleRate: 16_000, channelCount: 1)

  /// The length of a number of frames, in seconds.
  public func seconds(_ frameCount: Int64) -> Double {
    Double(frameCount) / Double(sampleRate)
  }

  /// The number of frames in a time, rounded to the nearest; a time that no file can hold is cut to ±2^62 frames.
  public func frames(seconds: Double) -> Int64 {
    let exact = (seconds * Double(sampleRate)).rounded()
    guard exact.isFinite else { return 0 }
    let limit = Int64(1) << 62
    return exact >= Double(limit) ? limit : exact <= -Double(limit) ? -limit : Int64(exact)
  }
}
