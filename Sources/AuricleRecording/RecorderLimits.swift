/// How often a recorder looks after its file, and how much room it leaves.
public struct RecorderLimits: Sendable, Equatable {
  /// The longest time between two calls of `fsync`, while audio comes. Default 1 s.
  public var syncInterval: Duration
  /// The longest time between two looks at the folder and at its free space, while audio comes. Default 1 s.
  ///
  /// The free space is looked at as well whenever a quarter of ``freeByteFloor`` was written.
  public var checkInterval: Duration
  /// So much free space is left, in bytes: room for the header, the report and the end of the file. Default 64 MiB.
  public var freeByteFloor: Int64

  /// Creates limits.
  public init(
    syncInterval: Duration = .seconds(1), checkInterval: Duration = .seconds(1), freeByteFloor: Int64 = 64 << 20
  ) {
    self.syncInterval = syncInterval
    self.checkInterval = checkInterval
    self.freeByteFloor = freeByteFloor
  }
}
