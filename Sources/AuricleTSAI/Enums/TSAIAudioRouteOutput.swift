/// Where sound is played. A recording plays nothing, so that it takes only ``none``. The page names no other one; the
/// others and all numbers are ours.
public enum TSAIAudioRouteOutput: Int, Sendable, CaseIterable {
  /// Nowhere.
  case none = 0
  /// On this machine.
  case local = 1
  /// On the device.
  case device = 2
}
