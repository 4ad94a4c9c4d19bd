/// Samples that nobody changes any more.
public struct FloatBuffer: Sendable, Hashable {
  /// The samples.
  public let samples: [Float]

  /// Keeps samples.
  public init(_ samples: [Float]) { self.samples = samples }

  /// Copies samples.
  /// - Parameters:
  ///   - data: At least `length` samples; zeros are taken where there is none.
  ///   - length: How many.
  public init(data: UnsafePointer<Float>?, length: UInt) {
    guard let data else {
      self.init([Float](repeating: 0, count: Int(length)))
      return
    }
    self.init(Array(UnsafeBufferPointer(start: data, count: Int(length))))
  }

  /// How many samples there are.
  public var length: UInt { UInt(samples.count) }

  /// Lends the samples.
  public func withUnsafeData<Result>(_ body: (UnsafePointer<Float>?) throws -> Result) rethrows -> Result {
    try samples.withUnsafeBufferPointer { try body($0.baseAddress) }
  }
}

/// The page's name of a buffer.
public typealias MPPFloatBuffer = FloatBuffer
