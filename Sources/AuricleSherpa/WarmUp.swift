import AuricleLive

/// The audio and the way of a warm-up.
enum WarmUp {
  /// A second of noise, 60 dB below full scale; the same every time.
  static let noise: [Float] = {
    var state: UInt32 = 1
    return (0..<LivePolicy.sampleRate).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return (Float(state >> 8) / Float(1 << 24) - 0.5) / 500
    }
  }()

  /// Runs the work on one of the queue's threads.
  static func run(on queue: DecodeQueue, _ work: @escaping @Sendable () -> Void) async {
    _ = await queue.run(.final, work)
  }
}
