/// The newest samples of a stream, oldest first; zeros where nothing came yet. Capacity is fixed.
///
/// The samples are kept twice, one capacity apart, so that the newest ones always lie in one piece.
struct LatestSamples: Sendable {
  /// How many samples it holds.
  let capacity: Int
  private var storage: [Float]
  /// Where the oldest sample lies in the first half.
  private var start = 0

  /// Creates one that holds zeros.
  /// - Parameter capacity: At least 1.
  init(capacity: Int) {
    self.capacity = capacity
    storage = [Float](repeating: 0, count: 2 * capacity)
  }

  /// Takes samples in; the oldest ones go.
  mutating func load(_ samples: UnsafeBufferPointer<Float>) {
    let kept = UnsafeBufferPointer(rebasing: samples.suffix(capacity))
    let first = min(kept.count, capacity - start)
    put(UnsafeBufferPointer(rebasing: kept[..<first]), at: start)
    put(UnsafeBufferPointer(rebasing: kept[first...]), at: 0)
    start = (start + kept.count) % capacity
  }

  /// Takes a part of a buffer in.
  /// - Throws: ``TasksError`` of code `invalidArgument` when the part lies outside; nothing has changed then.
  mutating func load(_ buffer: FloatBuffer, offset: UInt, length: UInt) throws(TasksError) {
    let range = try Self.range(offset: offset, length: length, within: buffer.samples.count, of: "the source")
    buffer.samples.withUnsafeBufferPointer { load(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Copies a part out.
  /// - Throws: ``TasksError`` of code `invalidArgument` when the part lies outside.
  func read(offset: UInt, length: UInt) throws(TasksError) -> FloatBuffer {
    let range = try Self.range(offset: offset, length: length, within: capacity, of: "the buffer")
    return FloatBuffer(Array(storage[(start + range.lowerBound)..<(start + range.upperBound)]))
  }

  /// Takes zeros in; the oldest samples go.
  mutating func loadSilence(_ count: Int) {
    guard count < capacity else { return clear() }
    [Float](repeating: 0, count: count).withUnsafeBufferPointer { load($0) }
  }

  /// Fills it with zeros.
  mutating func clear() {
    for index in storage.indices { storage[index] = 0 }
    start = 0
  }

  private mutating func put(_ samples: UnsafeBufferPointer<Float>, at place: Int) {
    guard let source = samples.baseAddress else { return }
    let (count, capacity) = (samples.count, capacity)
    storage.withUnsafeMutableBufferPointer { target in
      guard let base = target.baseAddress else { return }
      (base + place).update(from: source, count: count)
      (base + place + capacity).update(from: source, count: count)
    }
  }

  private static func range(
    offset: UInt, length: UInt, within capacity: Int, of name: String
  ) throws(TasksError) -> Range<Int> {
    let (end, isTooLarge) = offset.addingReportingOverflow(length)
    guard !isTooLarge, end <= UInt(capacity) else {
      throw TasksError(
        .invalidArgument, "offset \(offset) and length \(length) reach beyond \(name), which holds \(capacity)")
    }
    return Int(offset)..<Int(end)
  }
}
