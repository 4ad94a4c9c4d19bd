import CSoxr

/// A streaming resampler for interleaved samples, from soxr's "high quality" recipe; freed exactly once.
///
/// Its output is aligned with its input: what it holds back at first it delivers at the end.
final class RateConverter {
  private let handle: soxr_t
  private let ratio: Double
  private let channelCount: Int

  /// - Parameters: Frames per second.
  init(from inputRate: Int, to outputRate: Int, channelCount: Int) throws(WriteFault) {
    var failure: soxr_error_t?
    var quality = soxr_quality_spec(UInt(SOXR_20_BITQ), 0)
    var runtime = soxr_runtime_spec(1)
    // Small transforms, so that little is held back.
    runtime.log2_min_dft_size = 8
    runtime.log2_large_dft_size = 10
    let created = soxr_create(
      Double(inputRate), Double(outputRate), UInt32(channelCount), &failure, nil, &quality, &runtime)
    guard let created, failure == nil else {
      throw .refused("\(inputRate) Hz cannot be turned into \(outputRate) Hz.")
    }
    handle = created
    ratio = Double(outputRate) / Double(inputRate)
    self.channelCount = channelCount
  }

  deinit { soxr_delete(handle) }

  /// Takes whole frames, and gives those that are ready.
  func process(_ samples: [Float]) throws(WriteFault) -> [Float] {
    var output: [Float] = []
    var used = 0
    while used < samples.count {
      let before = used
      var taken = 0
      let made = try run(into: &output, room: room(for: samples.count - used)) { target, room, made in
        samples.withUnsafeBufferPointer { source in
          soxr_process(
            handle, source.baseAddress.map { $0 + before }, (source.count - before) / channelCount, &taken, target,
            room,
            &made)
        }
      }
      used += taken * channelCount
      if taken == 0 && made == 0 { throw .encoder("the resampler stopped") }
    }
    return output
  }

  /// Ends the input, and gives what was held back.
  func finish() throws(WriteFault) -> [Float] {
    var output: [Float] = []
    while try run(into: &output, room: 4_096, { soxr_process(handle, nil, 0, nil, $0, $1, &$2) }) > 0 {}
    return output
  }

  private func room(for sampleCount: Int) -> Int { Int(Double(sampleCount / channelCount) * ratio) + 64 }

  private func run(
    into output: inout [Float], room: Int,
    _ call: (UnsafeMutablePointer<Float>?, Int, inout Int) -> soxr_error_t?
  ) throws(WriteFault) -> Int {
    var made = 0
    var failure: soxr_error_t?
    output += [Float](unsafeUninitializedCapacity: room * channelCount) { target, count in
      failure = call(target.baseAddress, room, &made)
      count = made * channelCount
    }
    if failure != nil { throw .encoder("the resampler failed") }
    return made
  }
}
