/// A short piece of mono sound in memory that it owns and can overwrite.
///
/// Threading: whoever made it fills it, the capture that takes it lends it to one consumer at a time and overwrites it.
/// It is overwritten when it is freed as well.
public final class CapturePCMBuffer: @unchecked Sendable {
  // The rule that makes it safe: it is handed on, never shared. The source that made it does not touch it after
  // AmbientSink.receive took it, and the capture lends it to its consumer on the thread that delivered it, and waits for
  // nobody else before it wipes it. The concurrent tests of AmbientAudioCapture run it under ThreadSanitizer.

  /// How many frames a buffer may hold.
  public static let frameCounts = 1...16_384
  /// The rates that a buffer may have, in frames per second.
  public static let sampleRates = 8_000.0...192_000.0
  /// The most channels that are averaged to mono.
  public static let maximumChannelCount = 8

  /// Frames per second.
  public let sampleRate: Double
  /// The number of the first frame in the source's own counting, from 0. A jump is a gap.
  public let sampleOffset: Int64
  /// How many frames it holds.
  public let frameCount: Int
  /// Whether its samples were overwritten.
  public private(set) var isCleared = false
  private let storage: UnsafeMutablePointer<Float>

  /// Copies mono samples.
  /// - Throws: ``AmbientError`` of kind `invalidBuffer`, when a number is out of its range or a sample is not finite.
  public convenience init(
    sampleRate: Double, sampleOffset: Int64, samples: UnsafeBufferPointer<Float>
  ) throws(AmbientError) {
    try self.init(sampleRate: sampleRate, sampleOffset: sampleOffset, frameCount: samples.count) { samples[$0] }
  }

  /// Copies mono samples.
  /// - Throws: ``AmbientError`` of kind `invalidBuffer`, when a number is out of its range or a sample is not finite.
  public convenience init(sampleRate: Double, sampleOffset: Int64, samples: [Float]) throws(AmbientError) {
    try self.init(sampleRate: sampleRate, sampleOffset: sampleOffset, frameCount: samples.count) { samples[$0] }
  }

  /// Averages what a device delivered into mono.
  /// - Parameters:
  ///   - input: Samples as they came. Interleaved ones, other than 32-bit floats and more than eight channels are refused.
  ///   - sampleOffset: The number of the first frame, from 0.
  /// - Throws: ``AmbientError`` of kind `unsupportedFormat` or `invalidBuffer`.
  public convenience init(_ input: AmbientDeviceInput, sampleOffset: Int64) throws(AmbientError) {
    guard input.isFloat32, !input.isInterleaved, (1...Self.maximumChannelCount).contains(input.channels.count) else {
      throw AmbientError(.unsupportedFormat)
    }
    guard input.channels.allSatisfy({ $0.count == input.channels[0].count }) else { throw AmbientError(.invalidBuffer) }
    let scale = 1 / Float(input.channels.count)
    try self.init(
      sampleRate: input.sampleRate, sampleOffset: sampleOffset, frameCount: input.channels[0].count
    ) { frame in
      input.channels.reduce(0) { $0 + $1[frame] } * scale
    }
  }

  /// Makes a buffer of samples that are asked for one by one.
  init(
    sampleRate: Double, sampleOffset: Int64, frameCount: Int, sample: (Int) -> Float
  ) throws(AmbientError) {
    guard Self.frameCounts.contains(frameCount), Self.sampleRates.contains(sampleRate), sampleOffset >= 0,
      !sampleOffset.addingReportingOverflow(Int64(frameCount)).overflow
    else { throw AmbientError(.invalidBuffer) }
    self.sampleRate = sampleRate
    self.sampleOffset = sampleOffset
    self.frameCount = frameCount
    storage = .allocate(capacity: frameCount)
    var isFinite = true
    for frame in 0..<frameCount {
      let value = sample(frame)
      isFinite = isFinite && value.isFinite
      (storage + frame).initialize(to: value)
    }
    if !isFinite { throw AmbientError(.nonFiniteSamples) }
  }

  deinit {
    clear()
    storage.deallocate()
  }

  /// The number behind the last frame.
  public var endOffset: Int64 { sampleOffset + Int64(frameCount) }
  /// How much memory the samples take, in bytes.
  public var byteCount: Int { frameCount * MemoryLayout<Float>.stride }

  /// Lends the samples, full scale ±1. They are zeros once the buffer was cleared. The pointer must not leave the body.
  public func withSamples<Result>(_ body: (UnsafeBufferPointer<Float>) throws -> Result) rethrows -> Result {
    try body(UnsafeBufferPointer(start: storage, count: frameCount))
  }

  /// Overwrites the samples with zeros.
  func clear() {
    isCleared = true
    Self.overwrite(UnsafeMutableRawPointer(storage), byteCount)
  }

  /// Kept out of the optimizer's sight, which would leave out writing what nobody reads.
  @inline(never) @_optimize(none)
  private static func overwrite(_ memory: UnsafeMutableRawPointer, _ count: Int) {
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }
}

extension CapturePCMBuffer: CustomStringConvertible, CustomReflectable {
  /// How much it holds, and not what.
  public var description: String { "\(frameCount) frames at \(sampleRate) Hz from \(sampleOffset)" }
  /// The same.
  public var customMirror: Mirror { Mirror(self, children: ["frameCount": frameCount]) }
}

/// What a device delivered, borrowed while it is copied.
public struct AmbientDeviceInput {
  /// Frames per second.
  public var sampleRate: Double
  /// The samples of each channel; for interleaved ones, all in the first.
  public var channels: [UnsafeBufferPointer<Float>]
  /// Whether the channels take turns in one run of samples.
  public var isInterleaved: Bool
  /// Whether samples are 32-bit floats.
  public var isFloat32: Bool

  /// Describes what was delivered.
  public init(
    sampleRate: Double, channels: [UnsafeBufferPointer<Float>], isInterleaved: Bool = false, isFloat32: Bool = true
  ) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.isInterleaved = isInterleaved
    self.isFloat32 = isFloat32
  }
}
