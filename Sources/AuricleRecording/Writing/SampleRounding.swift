/// Turns floats with full scale at ±1 into 16-bit samples.
///
/// A sample is multiplied by 32,768 and rounded to the nearest integer, ties to even, then cut to −32,768…32,767; what is
/// not a number is 0. So a 16-bit sample that was divided by 32,768 comes back exactly.
enum SampleRounding {
  /// Rounds one sample.
  static func int16(_ sample: Float) -> Int16 {
    let scaled = (sample * 32_768).rounded(.toNearestOrEven)
    guard scaled == scaled else { return 0 }
    return Int16(max(-32_768, min(32_767, scaled)))
  }

  /// Rounds samples; they are little-endian in memory, as they are in the file.
  static func int16(_ samples: ArraySlice<Float>) -> [Int16] {
    samples.withUnsafeBufferPointer { source in
      [Int16](unsafeUninitializedCapacity: source.count) { target, count in
        for index in source.indices { target[index] = int16(source[index]).littleEndian }
        count = source.count
      }
    }
  }
}
