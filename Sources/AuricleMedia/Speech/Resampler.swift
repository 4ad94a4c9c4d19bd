import AuricleAudio
import CSoxr

/// A streaming resampler for one channel, from soxr's "high quality" recipe; freed exactly once.
///
/// Its output is aligned with its input: what it holds back at first it delivers at the end.
final class Resampler {
  /// The library's transforms, as powers of two. Its own choice holds back up to 115 ms of 8 kHz sound; these hold back
  /// 17 to 52 ms at all common rates, and ten minutes of sound still take a fifth of a second.
  private static let smallestTransform: UInt32 = 8
  private static let largestTransform: UInt32 = 10

  private let handle: soxr_t

  /// - Parameters: Frames per second.
  /// - Throws: `AudioError` of kind `unsupportedFormat` when the library refuses the ratio.
  init(from inputRate: Int, to outputRate: Int) throws(AudioError) {
    var failure: soxr_error_t?
    var quality = soxr_quality_spec(UInt(SOXR_20_BITQ), 0)
    var runtime = soxr_runtime_spec(1)
    runtime.log2_min_dft_size = Self.smallestTransform
    runtime.log2_large_dft_size = Self.largestTransform
    let created = soxr_create(Double(inputRate), Double(outputRate), 1, &failure, nil, &quality, &runtime)
    guard let created, failure == nil else {
      throw AudioError(.unsupportedFormat, "\(inputRate) Hz cannot be turned into \(outputRate) Hz")
    }
    handle = created
  }

  deinit { soxr_delete(handle) }

  /// The library's name and version.
  static var libraryVersion: String { String(cString: soxr_version()) }

  /// Takes samples, and appends what is ready.
  func process(_ samples: ArraySlice<Float>, into output: inout [Float], room: Int) throws(AudioError) {
    var rest = samples
    while !rest.isEmpty {
      var used = 0
      let count = try run(room, &output) { target, made in
        rest.withUnsafeBufferPointer { soxr_process(handle, $0.baseAddress, $0.count, &used, target, room, &made) }
      }
      rest = rest.dropFirst(used)
      if used == 0 && count == 0 { throw AudioError(.readFailed, "the resampler stopped") }
    }
  }

  /// Ends the input, and appends what was held back.
  func finish(into output: inout [Float], room: Int) throws(AudioError) {
    while try run(room, &output, { soxr_process(handle, nil, 0, nil, $0, room, &$1) }) > 0 {}
  }

  private func run(
    _ room: Int, _ output: inout [Float], _ call: (UnsafeMutablePointer<Float>?, inout Int) -> soxr_error_t?
  ) throws(AudioError) -> Int {
    var made = 0
    var failure: soxr_error_t?
    output += [Float](unsafeUninitializedCapacity: room) { target, count in
      failure = call(target.baseAddress, &made)
      count = made
    }
    if failure != nil { throw AudioError(.readFailed, "the resampler failed") }
    return made
  }
}
