/// What became of the frames that a device offered, in frames since the start.
public struct CaptureCounts: Sendable, Hashable {
  /// They were taken, and can be read.
  public let accepted: Int64
  /// The gate was not open.
  public let refused: Int64
  /// They came faster than they were read.
  public let overrun: Int64
  /// The device itself lost them.
  public let deviceLost: Int64

  /// All of them.
  public var offered: Int64 { accepted + refused + overrun + deviceLost }

  /// Creates counts.
  public init(accepted: Int64, refused: Int64, overrun: Int64, deviceLost: Int64) {
    self.accepted = accepted
    self.refused = refused
    self.overrun = overrun
    self.deviceLost = deviceLost
  }
}
