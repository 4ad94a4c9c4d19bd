/// The newest samples of a stream, oldest first; zeros where nothing came yet. Capacity is fixed.
struct LatestSamples: Sendable {
  /// How many samples it holds.
  let capacity: Int
  private var storage: [Float]
  /// Where the oldest sample lies.
  private var start = 0

  /// Creates one that holds zeros.
  /// - Parameter capacity: At least 1.
  init(capacity: Int) {
    self.capacity = capacity
    storage = [Float](repeating: 0, count: capacity)
  }

  /// Takes samples in; the oldest ones go.
  mutating func load(_ samples: UnsafeBufferPointer<Float>) {
    let count = min(samples.count, capacity)
    guard count > 0, let source = samples.baseAddress.map({ $0 + (samples.count - count) }) else { return }
    let (place, first) = (start, min(count, capacity - start))
    storage.withUnsafeMutableBufferPointer { target in
      guard let base = target.baseAddress else { return }
      (base + place).update(from: source, count: first)
      base.update(from: source + first, count: count - first)
    }
    start += count
    if start >= capacity { start -= capacity }
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
    let place = (start + range.lowerBound) % capacity
    let first = min(range.count, capacity - place)
    let copy = [Float](unsafeUninitializedCapacity: range.count) { target, count in
      storage.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        to.initialize(from: from + place, count: first)
        (to + first).initialize(from: from, count: range.count - first)
        count = range.count
      }
    }
    return FloatBuffer(copy)
  }

  /// Takes zeros in; the oldest samples go.
  mutating func loadSilence(_ count: Int) {
    guard count > 0 else { return }
    guard count < capacity else { return clear() }
    [Float](repeating: 0, count: count).withUnsafeBufferPointer { load($0) }
  }

  /// Fills it with zeros.
  mutating func clear() {
    storage.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    start = 0
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
