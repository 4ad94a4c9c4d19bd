import AuricleAudio
import AuricleCapture
import AuricleConsent
import Foundation

/// A recording of one device after the other: the stream that runs, and the search for the next one when it is lost.
final class PulseRecording: PulseStreamOwner, @unchecked Sendable {
  // The rule that makes it safe: `state` is touched while `lock` is held. The library's thread takes that lock under
  // its own, so nobody calls the library while holding it. `changing` serialises what replaces or closes streams; the
  // library's thread never takes it.

  struct State {
    var recovery: Recovery
    var device: CaptureDevice
    var known: KnownDevices
    var stream: PulseStream?
    var seeking: Task<Void, Never>?
    /// Whether the server went away and has not been seen again.
    var isServerLost = false
  }

  let source: RingSource<ContinuousClock>
  let setup: PulseSetup
  let lock = NSLock()
  let changing = NSLock()
  var state: State

  /// Opens a device. Waits for the server, so it is called on a thread of its own.
  static func open(
    device name: String?, gate: ConsentGate, capacitySeconds: Double, _ setup: PulseSetup
  ) throws(AudioError) -> PulseRecording {
    let connection = try PulseConnection(server: setup.server, patience: setup.patience)
    let listed = try connection.listDevices()
    let device = try listed.map(\.device).chosen(name)
    let format = try AudioFormat(
      sampleRate: device.sampleRate, channelCount: min(device.channelCount, PulseSource.maximumChannelCount))
    let ring = CaptureRing(format: format, gate: gate, capacitySeconds: capacitySeconds)
    let recording = PulseRecording(RingSource(ring), device, listed, setup)
    let stream = try recording.connect(connection, to: device)
    recording.lock.withLock { recording.state.stream = stream }
    stream.begin()
    return recording
  }

  private init(
    _ source: RingSource<ContinuousClock>, _ device: CaptureDevice, _ listed: [ListedDevice], _ setup: PulseSetup
  ) {
    self.source = source
    self.setup = setup
    state = State(recovery: Recovery(setup.policy), device: device, known: KnownDevices(listed))
  }

  /// What is heard, or was heard at last.
  var device: CaptureDevice { lock.withLock { state.device } }

  /// Ends it. Repeated calls do nothing.
  func stop() {
    changing.withLock {
      let (stream, seeking) = lock.withLock {
        state.recovery.stop()
        defer { (state.stream, state.seeking) = (nil, nil) }
        return (state.stream, state.seeking)
      }
      seeking?.cancel()
      stream?.close()
      source.finish()
    }
  }

  func connect(_ connection: PulseConnection, to device: CaptureDevice) throws(AudioError) -> PulseStream {
    try PulseStream(connection, to: device, into: source, setup, owner: self) { [weak self] in self?.devicesAre($0) }
  }

  private func devicesAre(_ listed: [ListedDevice]) { tell(lock.withLock { state.known.update(listed) }) }

  func tell(_ events: [CaptureEvent]) {
    for event in events { source.note(event) }
  }
}
