import AuricleAudio
import AuricleCapture
import AuricleConsent

/// A microphone, line or monitor of a sound server, at its own rate.
///
/// The library's thread offers each packet to ``ring``, which asks the gate first; this side reads what passed. While
/// the gate is shut the device goes on, and its frames are counted as a gap. What happens to the device and its server
/// comes as notices between the frames; see `CaptureEvent`.
///
/// Threading: ``next(maxFrames:)`` is for one reader at a time, everything else for everybody. A source that nobody
/// holds any more stops.
public final class PulseSource: AudioSource {
  /// The most channels that are recorded; of a device with more, the server makes two.
  public static let maximumChannelCount = 2

  let recording: PulseRecording

  /// Opens a source; it is heard from now on, as far as the gate allows.
  ///
  /// Waits on a thread of its own, so a task's thread stays free. The stream stays with the device: the server does not
  /// move it to another when the default changes.
  /// - Parameters:
  ///   - device: The name of a source; `nil` for the server's default, unless that is a monitor.
  ///   - gate: What each packet meets first.
  ///   - server: The server's address; `nil` for the user's own, which `PULSE_SERVER` can name.
  ///   - policy: What becomes of the recording when the device or the server goes away later.
  ///   - patience: How long to wait for each answer of the server.
  ///   - capacitySeconds: How late the reader may be before frames are lost.
  /// - Throws: `AudioError` of kind `notFound` (it says what there is), `unsupportedFormat`, `notPermitted`,
  ///   `serverLost`, `deviceLost` or `timedOut`.
  public static func open(
    device: String? = nil, gate: ConsentGate, server: String? = nil, policy: CapturePolicy = .end,
    patience: Duration = PulseDevices.patience, capacitySeconds: Double = 10
  ) async throws(AudioError) -> PulseSource {
    let setup = PulseSetup(server: server, patience: patience, policy: policy)
    return try await open(device: device, gate: gate, capacitySeconds: capacitySeconds, setup)
  }

  static func open(
    device: String?, gate: ConsentGate, capacitySeconds: Double = 10, _ setup: PulseSetup
  ) async throws(AudioError) -> PulseSource {
    PulseSource(
      try await OwnThread.run { () throws(AudioError) in
        try PulseRecording.open(device: device, gate: gate, capacitySeconds: capacitySeconds, setup)
      })
  }

  private init(_ recording: PulseRecording) { self.recording = recording }

  deinit { recording.stop() }

  /// What is heard now, or, while the device is away, what was heard at last.
  public var device: CaptureDevice { recording.device }
  /// Where the packets go; its counts say what became of them.
  public var ring: CaptureRing { recording.source.ring }
  /// The rate of the device that was opened, and at most ``maximumChannelCount`` channels. It stays so: what another
  /// device delivers is converted by the server.
  public var format: AudioFormat { recording.source.format }
  /// Nobody can know.
  public var expectedFrameCount: Int64? { nil }

  /// Waits until something was heard or something happened.
  ///
  /// See `AudioSource.next(maxFrames:)`.
  /// - Throws: `AudioError` of kind `deviceLost` or `serverLost` after what was heard, and ever after;
  ///   `CancellationError`.
  public func next(maxFrames: Int) async throws -> AudioChunk? {
    try await recording.source.next(maxFrames: maxFrames)
  }

  /// Stops hearing. What was heard can still be read, and then the source ends. Repeated calls do nothing.
  ///
  /// Waits a moment for the library's thread to end.
  public func stop() { recording.stop() }
}
