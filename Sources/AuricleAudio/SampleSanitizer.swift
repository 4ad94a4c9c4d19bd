/// Replaces samples that are not finite numbers by silence, and says so once.
public struct SampleSanitizer: Sendable {
  /// How many samples were replaced so far.
  public private(set) var replacedCount = 0

  /// Creates a sanitizer that has replaced nothing.
  public init() {}

  /// Replaces what is not finite.
  /// - Returns: A notice at the first replacement of the stream, else `nil`.
  public mutating func clean(_ samples: inout [Float]) -> AudioNotice? {
    guard samples.contains(where: { !$0.isFinite }) else { return nil }
    let isFirst = replacedCount == 0
    for index in samples.indices where !samples[index].isFinite {
      samples[index] = 0
      replacedCount += 1
    }
    return isFirst ? AudioNotice(.nonFiniteSamples, "samples that are not numbers were taken as silence") : nil
  }
}
