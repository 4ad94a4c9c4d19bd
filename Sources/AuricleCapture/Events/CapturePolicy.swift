/// What becomes of a recording when its device or its sound server goes away.
public enum CapturePolicy: Sendable, Hashable {
  /// It ends with its reason, `deviceLost` or `serverLost`.
  case end
  /// It goes on when there is something to hear again; the time in between is a gap. After the grace it ends with its
  /// reason, where the sound ended.
  case recover(grace: Duration = .seconds(30), onto: Replacement = .sameDevice)

  /// What a recording may go on with.
  public enum Replacement: Sendable, Hashable {
    /// The same device, by its name.
    case sameDevice
    /// The same device, or else the default one, if it is of the same sort: never a monitor in place of a microphone, nor
    /// a microphone in place of a monitor.
    case followDefault
  }
}
