/// How alike two takes are, 0…1, if one may begin up to 50 ms later: the best correlation over half a second.
func likeness(_ left: [Float], _ right: [Float]) -> Float {
  func best(_ lags: some Sequence<Int>) -> (lag: Int, value: Float) {
    lags.map { ($0, correlation(left, right, lag: $0)) }.max { $0.1 < $1.1 } ?? (0, 0)
  }
  let coarse = best(stride(from: -800, through: 800, by: 4))
  return best(coarse.lag - 4...coarse.lag + 4).value
}

private func correlation(_ left: [Float], _ right: [Float], lag: Int) -> Float {
  left.withUnsafeBufferPointer { left in
    right.withUnsafeBufferPointer { right in
      var product: Float = 0
      var leftPower: Float = 0
      var rightPower: Float = 0
      var index = 8_000
      while index < 16_000 && index + lag < right.count && index < left.count {
        product += left[index] * right[index + lag]
        leftPower += left[index] * left[index]
        rightPower += right[index + lag] * right[index + lag]
        index += 1
      }
      return product / max((leftPower * rightPower).squareRoot(), .leastNormalMagnitude)
    }
  }
}
