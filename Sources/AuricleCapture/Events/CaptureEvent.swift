import AuricleAudio

/// Something that happened to a source while it was heard.
///
/// It travels in the stream, as a notice between the frames before and the frames after it.
public struct CaptureEvent: Sendable, Hashable {
  /// A stable name of what happened. The set is open.
  public struct Kind: Hashable, Sendable {
    /// The stable name, as it stands in reports.
    public let name: String
    /// Creates a kind; names are stable and never reused.
    public init(name: String) { self.name = name }

    /// A device came. Details: `device`, `description`, `isMonitor`, `sampleRate`, `channelCount`.
    public static let deviceAdded = Kind(name: "deviceAdded")
    /// A device went. Details as for ``deviceAdded``; for the one that was heard, `isInUse` as well.
    public static let deviceRemoved = Kind(name: "deviceRemoved")
    /// Another device is the default. Details: `from` and `to`, each only if there is one, and `isMonitor` of the new.
    public static let defaultDeviceChanged = Kind(name: "defaultDeviceChanged")
    /// Another device is heard now. Details: `from`, `to`.
    public static let streamMoved = Kind(name: "streamMoved")
    /// The device sleeps. Details: `device`.
    public static let streamSuspended = Kind(name: "streamSuspended")
    /// The device is awake again. Details: `device`, `seconds` that it slept.
    public static let streamResumed = Kind(name: "streamResumed")
    /// The sound server went away. Details: `device`, `reason`.
    public static let serverLost = Kind(name: "serverLost")
    /// The sound server is back. Details: `device`, `seconds` that it was away.
    public static let serverRestored = Kind(name: "serverRestored")
    /// The device has another shape than the stream, to which it is converted. Details: `device`, `fromSampleRate`,
    /// `toSampleRate`, `fromChannelCount`, `toChannelCount`.
    public static let formatChanged = Kind(name: "formatChanged")
    /// Frames are missing by the clock, and the source had not said so. Details: `seconds`.
    public static let framesMissing = Kind(name: "framesMissing")
    /// Nothing but zeros came, as from a microphone that is muted. Details: `seconds`, and `frame`, where that many were
    /// full.
    public static let inputSilent = Kind(name: "inputSilent")
    /// Nothing came at all, although the stream has run. Details: `seconds`, and `frame`, the next one.
    public static let inputStalled = Kind(name: "inputStalled")
    /// There is sound again after ``inputSilent`` or ``inputStalled``. Details: `frame`, where it starts.
    public static let inputRestored = Kind(name: "inputRestored")
    /// Much reached the end of the scale. Details: `frame`, where the second that shows it starts, and `share` of its
    /// samples.
    public static let inputClipping = Kind(name: "inputClipping")
  }

  /// What happened.
  public let kind: Kind
  /// One sentence for a person, without a line break.
  public let message: String
  /// What shows it, under the names that each kind lists.
  public let details: [String: String]

  /// Creates an event.
  public init(_ kind: Kind, _ message: String, details: [String: String] = [:]) {
    self.kind = kind
    self.message = message
    self.details = details
  }

  /// Reads an event out of a notice, of whatever kind.
  public init(_ notice: AudioNotice) {
    self.init(Kind(name: notice.kind.name), notice.message, details: notice.details)
  }
}

extension AudioNotice {
  /// Puts an event into a stream.
  public init(_ event: CaptureEvent) {
    self.init(Kind(name: event.kind.name), event.message, details: event.details)
  }
}
