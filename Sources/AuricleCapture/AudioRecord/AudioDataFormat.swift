import AuricleAudio

/// The shape of the sound that a task wants.
public struct AudioDataFormat: Sendable, Hashable {
  /// Samples per frame.
  public let channelCount: UInt
  /// Frames per second.
  public let sampleRate: Double

  /// Creates a format; whether it can be recorded shows when it is used.
  public init(channelCount: UInt = 1, sampleRate: Double) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
  }

  /// How many channels can be recorded.
  static let channelCounts: ClosedRange<UInt> = 1...2

  /// The format as the ground floor has it.
  /// - Throws: ``TasksError`` of code `invalidArgument`.
  func checked() throws(TasksError) -> AudioFormat {
    guard Self.channelCounts.contains(channelCount) else {
      throw TasksError(.invalidArgument, "\(channelCount) channels cannot be recorded; ask for 1 to 2")
    }
    guard sampleRate.isFinite, sampleRate > 0, sampleRate == sampleRate.rounded(),
      let rate = Int(exactly: sampleRate),
      let format = try? AudioFormat(sampleRate: rate, channelCount: Int(channelCount))
    else {
      let range = AudioFormat.sampleRates
      throw TasksError(
        .invalidArgument,
        "\(sampleRate) Hz is no sample rate; ask for a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return format
  }
}
