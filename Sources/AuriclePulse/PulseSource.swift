import AuricleAudio
import AuricleCapture
import AuricleConsent

/// A microphone, line or monitor of a sound server, at its own rate.
///
/// The library's thread offers each packet to ``ring``, which asks the gate first; this side reads what passed. While
/// the gate is shut the device goes on, and its frames are counted as a gap.
///
/// Threading: ``next(maxFrames:)`` is for one reader at a time, everything else for everybody. A source that nobody
/// holds any more stops.
public final class PulseSource: AudioSource {
  /// The most channels that are recorded; of a device with more, the server makes two.
  public static let maximumChannelCount = 2

  /// What is heard.
  public let device: CaptureDevice
  private let source: RingSource<ContinuousClock>
  private let stream: PulseStream

  /// Opens a source; it is heard from now on, as far as the gate allows.
  ///
  /// Waits on a thread of its own, so a task's thread stays free. The stream stays with the device: the server does not
  /// move it to another when the default changes.
  /// - Parameters:
  ///   - device: The name of a source; `nil` for the server's default, unless that is a monitor.
  ///   - gate: What each packet meets first.
  ///   - server: The server's address; `nil` for the user's own, which `PULSE_SERVER` can name.
  ///   - patience: How long to wait for each answer of the server.
  ///   - capacitySeconds: How late the reader may be before frames are lost.
  /// - Throws: `AudioError` of kind `notFound` (it says what there is), `unsupportedFormat`, `notPermitted`,
  ///   `serverLost`, `deviceLost` or `timedOut`.
  public static func open(
    device: String? = nil, gate: ConsentGate, server: String? = nil, patience: Duration = PulseDevices.patience,
    capacitySeconds: Double = 10
  ) async throws(AudioError) -> PulseSource {
    try await OwnThread.run { () throws(AudioError) in
      let connection = try PulseConnection(server: server, patience: patience)
      let device = try connection.listDevices().chosen(device)
      let format = try AudioFormat(
        sampleRate: device.sampleRate, channelCount: min(device.channelCount, maximumChannelCount))
      let source = RingSource(CaptureRing(format: format, gate: gate, capacitySeconds: capacitySeconds))
      return PulseSource(device, source, try PulseStream(connection, to: device, into: source))
    }
  }

  private init(_ device: CaptureDevice, _ source: RingSource<ContinuousClock>, _ stream: PulseStream) {
    self.device = device
    self.source = source
    self.stream = stream
  }

  /// Where the packets go; its counts say what became of them.
  public var ring: CaptureRing { source.ring }
  /// The device's own rate, and at most ``maximumChannelCount`` channels.
  public var format: AudioFormat { source.format }
  /// Nobody can know.
  public var expectedFrameCount: Int64? { nil }

  /// Waits until something was heard.
  ///
  /// See `AudioSource.next(maxFrames:)`.
  /// - Throws: `AudioError` of kind `deviceLost` or `serverLost` after what was heard, and ever after;
  ///   `CancellationError`.
  public func next(maxFrames: Int) async throws -> AudioChunk? {
    try await source.next(maxFrames: maxFrames)
  }

  /// Stops hearing. What was heard can still be read, and then the source ends. Repeated calls do nothing.
  ///
  /// Waits a moment for the library's thread to end.
  public func stop() { stream.close() }
}
