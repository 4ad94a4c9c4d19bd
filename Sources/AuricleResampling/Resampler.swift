import AuricleAudio
import CSoxr

/// A streaming resampler for interleaved samples, from soxr's "high quality" recipe; freed exactly once.
///
/// Its output is aligned with its input: what it holds back at first it delivers at the end. Used by one task at a time.
package final class Resampler {
  /// The library's transforms, as powers of two. Its own choice holds back up to 115 ms of 8 kHz sound; these hold back
  /// 17 to 52 ms at all common rates, and ten minutes of sound still take a fifth of a second.
  private static let smallestTransform: UInt32 = 8
  private static let largestTransform: UInt32 = 10
  /// How many frames are made at a time at the end.
  private static let lastRoom = 4_096

  private let handle: soxr_t
  private let ratio: Double
  private let channelCount: Int

  /// - Parameters:
  ///   - inputRate: Frames per second.
  ///   - outputRate: Frames per second.
  ///   - channelCount: Samples per frame, on both sides.
  /// - Throws: `AudioError` of kind `unsupportedFormat` when the library refuses the ratio.
  package init(from inputRate: Int, to outputRate: Int, channelCount: Int) throws(AudioError) {
    var failure: soxr_error_t?
    var quality = soxr_quality_spec(UInt(SOXR_20_BITQ), 0)
    var runtime = soxr_runtime_spec(1)
    runtime.log2_min_dft_size = Self.smallestTransform
    runtime.log2_large_dft_size = Self.largestTransform
    let created = soxr_create(
      Double(inputRate), Double(outputRate), UInt32(channelCount), &failure, nil, &quality, &runtime)
    guard let created, failure == nil else {
      throw AudioError(.unsupportedFormat, "\(inputRate) Hz cannot be turned into \(outputRate) Hz")
    }
    handle = created
    ratio = Double(outputRate) / Double(inputRate)
    self.channelCount = channelCount
  }

  deinit { soxr_delete(handle) }

  /// The library's name and version.
  package static var libraryVersion: String { String(cString: soxr_version()) }

  /// Takes whole frames, and gives those that are ready.
  package func process(_ samples: [Float]) throws(AudioError) -> [Float] { try process(samples[...]) }

  /// Takes whole frames, and gives those that are ready.
  package func process(_ samples: ArraySlice<Float>) throws(AudioError) -> [Float] {
    var output: [Float] = []
    var rest = samples
    while !rest.isEmpty {
      var used = 0
      let frameCount = rest.count / channelCount
      let made = try run(into: &output, room: Int(Double(frameCount) * ratio) + 64) { target, room, made in
        rest.withUnsafeBufferPointer { soxr_process(handle, $0.baseAddress, frameCount, &used, target, room, &made) }
      }
      rest = rest.dropFirst(used * channelCount)
      if used == 0 && made == 0 { throw AudioError(.readFailed, "the resampler stopped") }
    }
    return output
  }

  /// Ends the input, and gives what was held back.
  package func finish() throws(AudioError) -> [Float] {
    var output: [Float] = []
    while try run(into: &output, room: Self.lastRoom, { soxr_process(handle, nil, 0, nil, $0, $1, &$2) }) > 0 {}
    return output
  }

  private func run(
    into output: inout [Float], room: Int, _ call: (UnsafeMutablePointer<Float>?, Int, inout Int) -> soxr_error_t?
  ) throws(AudioError) -> Int {
    var made = 0
    var failure: soxr_error_t?
    output += [Float](unsafeUninitializedCapacity: room * channelCount) { target, count in
      failure = call(target.baseAddress, room, &made)
      count = made * channelCount
    }
    if failure != nil { throw AudioError(.readFailed, "the resampler failed") }
    return made
  }
}
