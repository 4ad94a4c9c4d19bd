/// When a recorder has to look after its file. A value that is told the time.
struct Upkeep {
  private let limits: RecorderLimits
  private var lastSync: Duration
  private var lastCheck: Duration
  private var byteCountAtCheck: Int64 = 0

  init(_ limits: RecorderLimits, at now: Duration) {
    self.limits = limits
    lastSync = now
    lastCheck = now
  }

  /// Whether `fsync` is due. If so, it counts as done.
  mutating func takeSync(at now: Duration) -> Bool {
    guard now - lastSync >= limits.syncInterval else { return false }
    lastSync = now
    return true
  }

  /// Whether it is time to look at folder and free space. If so, it counts as done.
  mutating func takeCheck(at now: Duration, byteCount: Int64) -> Bool {
    let isManyBytes = byteCount - byteCountAtCheck >= max(1 << 16, limits.freeByteFloor / 4)
    guard now - lastCheck >= limits.checkInterval || isManyBytes else { return false }
    lastCheck = now
    byteCountAtCheck = byteCount
    return true
  }
}
