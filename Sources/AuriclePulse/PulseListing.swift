import AuricleAudio
import AuricleCapture
import CPulse

/// What a server says of its sources; filled by the library's thread, and touched under its lock only.
private final class PulseListing {
  private let mainloop: OpaquePointer
  private(set) var devices: [CaptureDevice] = []
  private var defaultName: String?

  init(_ mainloop: OpaquePointer) { self.mainloop = mainloop }

  func note(_ server: pa_server_info) {
    defaultName = server.default_source_name.map { String(cString: $0) }
  }

  func note(_ source: pa_source_info) {
    guard let name = source.name.map({ String(cString: $0) }) else { return }
    devices.append(
      CaptureDevice(
        name: name, description: source.description.map { printable(String(cString: $0)) } ?? name,
        isMonitor: source.monitor_of_sink != .max, isDefault: name == defaultName,
        sampleRate: Int(source.sample_spec.rate), channelCount: Int(source.sample_spec.channels)))
  }

  func wakeReader() { pa_threaded_mainloop_signal(mainloop, 0) }
}

extension PulseConnection {
  /// Asks for all sources, the default one marked, in the server's order.
  func listDevices() throws(AudioError) -> [CaptureDevice] {
    try withLock { () throws(AudioError) in
      try withContext { context, mainloop throws(AudioError) in
        let listing = PulseListing(mainloop)
        let userdata = Unmanaged.passUnretained(listing).toOpaque()
        let doing = "listing the sources"
        try finish(pa_context_get_server_info(context, pulseServerIs, userdata), while: doing)
        try finish(pa_context_get_source_info_list(context, pulseSourceIs, userdata), while: doing)
        return listing.devices
      }
    }
  }
}

// C calls these from the library's thread, so they belong to no actor.

private nonisolated func pulseServerIs(
  _ context: OpaquePointer?, _ info: UnsafePointer<pa_server_info>?, _ userdata: UnsafeMutableRawPointer?
) {
  guard let userdata else { return }
  let listing = Unmanaged<PulseListing>.fromOpaque(userdata).takeUnretainedValue()
  if let info { listing.note(info.pointee) }
  listing.wakeReader()
}

private nonisolated func pulseSourceIs(
  _ context: OpaquePointer?, _ info: UnsafePointer<pa_source_info>?, _ end: Int32,
  _ userdata: UnsafeMutableRawPointer?
) {
  guard let userdata else { return }
  let listing = Unmanaged<PulseListing>.fromOpaque(userdata).takeUnretainedValue()
  if end == 0, let info { listing.note(info.pointee) } else { listing.wakeReader() }
}
