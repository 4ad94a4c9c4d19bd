import AuricleAudio
import AuricleCapture
import CPulse

/// What a server says of its sources; filled by the library's thread, and touched under its lock only.
final class PulseListing {
  private let whenDone: ([ListedDevice]) -> Void
  private let whenTold: () -> Void
  private(set) var devices: [ListedDevice] = []
  private var defaultName: String?

  /// - Parameters:
  ///   - whenTold: Called at each answer.
  ///   - whenDone: Called once the last source was named.
  init(whenTold: @escaping () -> Void = {}, whenDone: @escaping ([ListedDevice]) -> Void = { _ in }) {
    self.whenTold = whenTold
    self.whenDone = whenDone
  }

  fileprivate func note(_ server: pa_server_info?) {
    if let server { defaultName = server.default_source_name.map { String(cString: $0) } }
    whenTold()
  }

  fileprivate func note(_ source: pa_source_info) {
    guard let device = CaptureDevice(source, defaultName: defaultName) else { return }
    devices.append(ListedDevice(number: source.index, device: device))
  }

  fileprivate func end() {
    whenTold()
    whenDone(devices)
  }
}

extension CaptureDevice {
  /// Describes a source; `nil` for one without a name.
  init?(_ source: pa_source_info, defaultName: String?) {
    guard let name = source.name.map({ String(cString: $0) }) else { return nil }
    self.init(
      name: name, description: source.description.map { printable(String(cString: $0)) } ?? name,
      isMonitor: source.monitor_of_sink != .max, isDefault: name == defaultName,
      sampleRate: Int(source.sample_spec.rate), channelCount: Int(source.sample_spec.channels))
  }
}

extension PulseConnection {
  /// Asks for all sources, the default one marked, in the server's order.
  func listDevices() throws(AudioError) -> [ListedDevice] {
    try withLock { () throws(AudioError) in
      try withContext { context, mainloop throws(AudioError) in
        let listing = PulseListing(whenTold: { pa_threaded_mainloop_signal(mainloop, 0) })
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

nonisolated func pulseServerIs(
  _ context: OpaquePointer?, _ info: UnsafePointer<pa_server_info>?, _ userdata: UnsafeMutableRawPointer?
) {
  guard let userdata else { return }
  Unmanaged<PulseListing>.fromOpaque(userdata).takeUnretainedValue().note(info?.pointee)
}

nonisolated func pulseSourceIs(
  _ context: OpaquePointer?, _ info: UnsafePointer<pa_source_info>?, _ end: Int32,
  _ userdata: UnsafeMutableRawPointer?
) {
  guard let userdata else { return }
  let listing = Unmanaged<PulseListing>.fromOpaque(userdata).takeUnretainedValue()
  if end == 0, let info { listing.note(info.pointee) } else { listing.end() }
}
