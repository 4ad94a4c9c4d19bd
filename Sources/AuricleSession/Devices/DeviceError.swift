/// What went wrong with a recording device.
///
/// The set of kinds is open: compare with the static members.
public struct DeviceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A stable name and number of what went wrong.
  public struct Kind: Hashable, Sendable {
    /// The stable number, in the domain `auricle.device`.
    public let code: Int
    /// The stable name.
    public let name: String
    /// Creates a kind; numbers and names are stable and never reused.
    public init(code: Int, name: String) {
      self.code = code
      self.name = name
    }

    /// The device failed. Try again; switch it off and on.
    public static let failed = Kind(code: 1, name: "failed")
    /// The device is not there. Bring it near, and connect it again.
    public static let disconnected = Kind(code: 2, name: "disconnected")
    /// The device does something else, or a session with it is under way. Wait for its end.
    public static let busy = Kind(code: 3, name: "busy")
    /// The device cannot do that.
    public static let notSupported = Kind(code: 4, name: "notSupported")
    /// A value is not allowed; the old one stays. Choose another.
    public static let invalidParameter = Kind(code: 5, name: "invalidParameter")
    /// The device did not answer in time. Try again.
    public static let timedOut = Kind(code: 6, name: "timedOut")
    /// The device's memory is full. Empty it.
    public static let storageFull = Kind(code: 7, name: "storageFull")
    /// Something else needs the device, or its battery is empty.
    public static let interrupted = Kind(code: 8, name: "interrupted")
    /// Somebody ended it before it began.
    public static let cancelled = Kind(code: 9, name: "cancelled")
    /// The device made no such request, or it was answered before.
    public static let requestUnknown = Kind(code: 10, name: "requestUnknown")
    /// The device does not wait for an answer any more.
    public static let requestExpired = Kind(code: 11, name: "requestExpired")
    /// What was to be reported has not happened.
    public static let notHappened = Kind(code: 12, name: "notHappened")
    /// It was reported before.
    public static let alreadyReported = Kind(code: 13, name: "alreadyReported")
    /// The device did not ask for the session, so nothing is reported to it.
    public static let notAsked = Kind(code: 14, name: "notAsked")
    /// Whoever looked after the device does not any more.
    public static let closed = Kind(code: 15, name: "closed")

    /// Every kind that is named here, in the order of the codes.
    public static let all: [Kind] = [
      .failed, .disconnected, .busy, .notSupported, .invalidParameter, .timedOut, .storageFull, .interrupted,
      .cancelled, .requestUnknown, .requestExpired, .notHappened, .alreadyReported, .notAsked, .closed,
    ]
  }

  /// What went wrong.
  public let kind: Kind
  /// One sentence for a person that says what to do, without a line break.
  public let message: String
  /// The code of the device or its link, for diagnosis only; 0 if there is none.
  public let platformCode: Int

  /// Creates an error.
  public init(_ kind: Kind, _ message: String, platformCode: Int = 0) {
    self.kind = kind
    self.message = message
    self.platformCode = platformCode
  }

  /// The sentence for a person.
  public var description: String { message }
}

extension DeviceError {
  static let isBusy = DeviceError(.busy, "a recording with the device is under way; stop it first")
  static let isGone = DeviceError(.disconnected, "the device is not connected; bring it near and connect it again")
  static let isClosed = DeviceError(.closed, "nobody looks after the device any more; open it again")
  static let wasStopped = DeviceError(.cancelled, "the recording was stopped before it began; start it again")
}

extension SessionFailure {
  /// The domain of failures of recording devices.
  public static let deviceDomain = "auricle.device"

  /// A recording device's failure.
  public init(_ error: DeviceError) {
    self.init(domain: Self.deviceDomain, code: error.kind.name, message: error.message)
  }
}
