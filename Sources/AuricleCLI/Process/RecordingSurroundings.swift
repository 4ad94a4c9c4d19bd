import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuricleRecording
import AuricleSession

/// What recording takes from the world; tests bring their own.
public struct RecordingSurroundings: Sendable {
  /// The terminal at which somebody sits; `nil` when nobody does.
  public var terminal: (any TerminalInput)?
  /// Thrown when the end must come soon.
  public var hurry: StopSignal
  /// An element whenever the process is asked to pause or to go on. Begins to listen when it is called.
  public var pauseRequests: @Sendable () -> AsyncStream<Void>
  /// Thrown when the process is told that consent is withdrawn.
  public var withdrawal: StopSignal
  /// Opens what is to be recorded, behind the gate; throws `AudioError`.
  public var openInput: @Sendable (RecordingOrigin, DeviceLoss, ConsentGate) async throws -> OpenedInput
  /// What can be recorded.
  public var listDevices: @Sendable () async throws(AudioError) -> [CaptureDevice]
  /// How often a recording's file is looked after, and how much room is left.
  public var recorderLimits: RecorderLimits

  /// Creates surroundings.
  public init(
    terminal: (any TerminalInput)?, hurry: StopSignal, pauseRequests: @escaping @Sendable () -> AsyncStream<Void>,
    withdrawal: StopSignal = StopSignal(),
    openInput: @escaping @Sendable (RecordingOrigin, DeviceLoss, ConsentGate) async throws -> OpenedInput,
    listDevices: @escaping @Sendable () async throws(AudioError) -> [CaptureDevice],
    recorderLimits: RecorderLimits = RecorderLimits()
  ) {
    self.terminal = terminal
    self.hurry = hurry
    self.pauseRequests = pauseRequests
    self.withdrawal = withdrawal
    self.openInput = openInput
    self.listDevices = listDevices
    self.recorderLimits = recorderLimits
  }
}

/// What is recorded, once it is open.
public struct OpenedInput: Sendable {
  /// The source.
  public let input: RecordingInput
  /// The device behind it; `nil` when it is none.
  public let device: ReportDevice?

  /// Names an input.
  public init(input: RecordingInput, device: ReportDevice? = nil) {
    self.input = input
    self.device = device
  }
}
