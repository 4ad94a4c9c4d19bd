/// What a task consumes: the newest samples, oldest first.
///
/// A value: it changes only where it is a variable, and is used from one thread at a time.
public final class AudioData {
  /// The format of the samples.
  public let format: AudioDataFormat
  private var samples: LatestSamples

  /// Creates one that holds zeros.
  /// - Parameters:
  ///   - format: The format of the samples.
  ///   - sampleCount: How many samples each channel has; at least 1.
  /// - Throws: ``TasksError`` of code `invalidArgument`.
  public init(format: AudioDataFormat, sampleCount: UInt) throws {
    _ = try format.checked()
    let (length, isTooLarge) = format.channelCount.multipliedReportingOverflow(by: sampleCount)
    guard sampleCount > 0, !isTooLarge, length <= AudioRecord.maximumBufferLength else {
      throw TasksError(.invalidArgument, "\(sampleCount) samples per channel are none or too many")
    }
    self.format = format
    samples = LatestSamples(capacity: Int(length))
  }

  /// The same, by the name of the record's property.
  public var audioDataFormat: AudioDataFormat { format }
  /// How many samples it holds, all channels together.
  public var bufferLength: UInt { UInt(samples.capacity) }
  /// All samples, oldest first, newest last.
  public var buffer: FloatBuffer {
    guard let all = try? samples.read(offset: 0, length: bufferLength) else {
      preconditionFailure("all of it is in it")
    }
    return all
  }

  /// Takes a part of a buffer in; the oldest samples go.
  /// - Throws: ``TasksError`` of code `invalidArgument` when the part lies outside; nothing has changed then.
  public func load(buffer: FloatBuffer, offset: UInt, length: UInt) throws {
    try samples.load(buffer, offset: offset, length: length)
  }

  /// Takes in all that a record holds.
  /// - Throws: ``TasksError`` of code `invalidArgument` when the formats differ, else what reading throws.
  public func load(audioRecord: AudioRecord) throws {
    guard audioRecord.audioDataFormat == format else {
      throw TasksError(.invalidArgument, "the record's format is not this one's; make both with one format")
    }
    let newest = try audioRecord.read(offset: 0, length: audioRecord.bufferLength)
    try samples.load(newest, offset: 0, length: newest.length)
  }
}
