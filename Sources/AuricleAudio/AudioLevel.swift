/// How loud a run of samples is.
public struct AudioLevel: Sendable, Hashable {
  /// The largest magnitude, 0…1 and beyond where samples leave the scale.
  public let peak: Float
  /// The root of the mean of the squares, on the same scale.
  public let rms: Float

  /// From here on 16-bit audio has no room left.
  public static let clippingPeak: Float = 32_767.0 / 32_768

  /// Whether a sample reached the end of the scale.
  public var isClipping: Bool { peak >= Self.clippingPeak }

  /// No sound.
  public static let silence = AudioLevel(peak: 0, rms: 0)

  /// Creates a level.
  public init(peak: Float, rms: Float) {
    self.peak = peak
    self.rms = rms
  }

  /// Measures samples of any number of channels together; none are silence, and so is a sample that is no number.
  public init(_ samples: some Collection<Float>) {
    var peak: Float = 0
    var squares = 0.0
    var count = 0
    for sample in samples {
      count += 1
      guard sample.isFinite else { continue }
      peak = max(peak, abs(sample))
      squares += Double(sample) * Double(sample)
    }
    self.init(peak: peak, rms: count == 0 ? 0 : Float((squares / Double(count)).squareRoot()))
  }

  /// Measures a block, all its channels together.
  public init(_ block: PCMBlock) {
    self.init(block.samples)
  }
}
