import AuricleAudio
import AuricleCapture

/// The check of the sound server: recording a device needs it, and nothing else does.
enum SoundCheck {
  /// Asks the server what can be recorded.
  static func look(_ listDevices: @Sendable () async throws(AudioError) -> [CaptureDevice]) async -> DoctorCheck {
    let outcome: DoctorCheck.Finding
    do throws(AudioError) {
      outcome = described(try await listDevices())
    } catch {
      outcome = .missing(
        "\(error.message); transcribe and record --source - do without",
        mend: "pulseaudio --start, or systemctl --user start pipewire-pulse")
    }
    return DoctorCheck("sound server", isNeeded: false) { outcome }
  }

  private static func described(_ devices: [CaptureDevice]) -> DoctorCheck.Finding {
    guard let device = devices.first(where: \.isDefault) else {
      return .missing(
        devices.isEmpty ? "it has nothing that can be recorded" : "it has no default input; name one with --source",
        mend: "auricle devices")
    }
    return .found("\(devices.count) to record from; the default is \(device.description)")
  }
}
