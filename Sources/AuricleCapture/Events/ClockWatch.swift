import AuricleAudio

/// Compares the frames of a device with the clock, so that audio that was lost without a word does not hide.
///
/// A value without a clock. Frames may come late and in bursts: only what is still missing after sound has flowed for a
/// while is lost. A device's own clock may be wrong by ``Limits/drift``, for as long as it likes.
public struct ClockWatch: Sendable {
  /// From when on frames count as lost.
  public struct Limits: Sendable, Hashable {
    /// So much must be missing, above 0. Less is told when it has added up.
    public var threshold = Duration.milliseconds(200)
    /// So long sound must flow, and the frames stay missing. The gap stands so much behind the place of the loss.
    public var settling = Duration.seconds(2)
    /// By what part of the time a device's clock may be wrong.
    public var drift = 200e-6

    /// The usual limits.
    public init() {}
  }

  /// Frames that seem to be missing, or to be too many, since a moment.
  private struct Suspicion {
    let time: Double
    let offered: Int64
    /// The least difference since then, in seconds; negative for too many.
    var difference: Double
  }

  private let format: AudioFormat
  private let threshold: Double
  private let settling: Double
  private let drift: Double
  private var origin: (time: Double, offered: Int64)?
  private var latest: (time: Double, offered: Int64)
  /// How much later than the clock the frames are now, in seconds, without anything lost.
  private var lateness = 0.0
  private var suspicion: Suspicion?

  /// Watches a device from its first frame on.
  /// - Parameters:
  ///   - format: The format of the frames.
  ///   - offered: How many frames came before.
  ///   - limits: From when on frames count as lost.
  public init(format: AudioFormat, after offered: Int64 = 0, limits: Limits = Limits()) {
    self.format = format
    latest = (0, offered)
    threshold = limits.threshold / .seconds(1)
    settling = limits.settling / .seconds(1)
    drift = limits.drift
  }

  /// Looks at how far the frames and the clock are; a few times a second.
  /// - Parameters:
  ///   - now: The time since any fixed moment.
  ///   - offered: How many frames came so far, those that are known to be missing among them.
  /// - Returns: How many frames are lost. Whoever asked counts them in from now on.
  public mutating func look(at now: Duration, offered: Int64) -> Int64 {
    let time = now / .seconds(1)
    guard offered > latest.offered else { return 0 }
    defer { latest = (time, offered) }
    guard let origin else {
      origin = (time, offered)
      return 0
    }
    let difference = time - origin.time - format.seconds(offered - origin.offered) - lateness
    guard abs(difference) > threshold else {
      suspicion = nil
      let most = drift * min(time - latest.time, 1)
      lateness += min(max(difference, -most), most)
      return 0
    }
    return settle(Suspicion(time: time, offered: offered, difference: difference))
  }

  private mutating func settle(_ now: Suspicion) -> Int64 {
    guard var before = suspicion, (before.difference > 0) == (now.difference > 0) else {
      suspicion = now
      return 0
    }
    if abs(now.difference) < abs(before.difference) { before.difference = now.difference }
    suspicion = before
    let flowed = format.seconds(now.offered - before.offered)
    guard now.time - before.time >= settling, flowed >= settling * 0.8 else { return 0 }
    suspicion = nil
    if before.difference > 0 { return format.frames(seconds: before.difference) }
    // More frames than the clock allows: the first ones came late.
    lateness += before.difference
    return 0
  }
}
