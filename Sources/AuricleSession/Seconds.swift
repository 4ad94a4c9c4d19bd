/// Rounds seconds to milliseconds, as they stand in reports and lines.
///
/// A number that is none becomes 0, since JSON has no such number.
func milliseconds(_ seconds: Double) -> Double {
  let rounded = (seconds * 1000).rounded() / 1000
  return rounded.isFinite ? rounded : 0
}

/// A stretch in seconds, rounded to milliseconds; the end stays behind the start.
func roundedSpan(start: Double, end: Double) -> (start: Double, end: Double) {
  let from = milliseconds(start)
  let to = milliseconds(end)
  return (from, to > from ? to : milliseconds(from + 0.001))
}
