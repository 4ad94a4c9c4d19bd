import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuricleMedia
import AuriclePulse
import AuricleSession

/// Opens what is recorded in the real world. What is known of sound servers is known here.
enum InputFactory {
  /// Opens a device or standard input behind the gate.
  static func open(_ origin: RecordingOrigin, _ loss: DeviceLoss, gate: ConsentGate) async throws -> OpenedInput {
    let policy: CapturePolicy = loss == .wait ? .recover() : .end
    switch origin {
    case .standardInput(let raw):
      let source = try await PipeSource(fileDescriptor: 0, raw: raw)
      return OpenedInput(input: RecordingInput(source: GatedSource(source, gate: gate)))
    case .standardDevice: return opened(try await PulseSource.open(gate: gate, policy: policy))
    case .device(let name): return opened(try await PulseSource.open(device: name, gate: gate, policy: policy))
    }
  }

  /// What can be recorded.
  static func devices() async throws(AudioError) -> [CaptureDevice] { try await PulseDevices.list() }

  private static func opened(_ source: PulseSource) -> OpenedInput {
    let device = ReportDevice(name: source.device.name, description: source.device.description)
    return OpenedInput(input: RecordingInput(source: source, end: { source.stop() }), device: device)
  }
}
