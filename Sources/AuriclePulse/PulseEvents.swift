import AuricleAudio
import AuricleCapture

extension CaptureEvent {
  static func added(_ device: CaptureDevice) -> CaptureEvent {
    CaptureEvent(.deviceAdded, "\(device.sort) came: \(printable(device.description))", details: device.details)
  }

  static func removed(_ device: CaptureDevice, isInUse: Bool = false) -> CaptureEvent {
    let details = isInUse ? ["isInUse": "true"].merging(device.details) { $1 } : device.details
    return CaptureEvent(
      .deviceRemoved, "\(device.sort) went away: \(printable(device.description))", details: details)
  }

  static func defaultChanged(from: CaptureDevice?, to: CaptureDevice?) -> CaptureEvent {
    var details: [String: String] = [:]
    details["from"] = from?.name
    details["to"] = to?.name
    details["isMonitor"] = to.map { String($0.isMonitor) }
    let message =
      to.map { "the default source is now \(printable($0.description))" } ?? "there is no default source now"
    return CaptureEvent(.defaultDeviceChanged, message, details: details)
  }

  static func moved(from: CaptureDevice, to: CaptureDevice) -> CaptureEvent {
    CaptureEvent(
      .streamMoved, "what is heard now is \(printable(to.description)), and not \(printable(from.description))",
      details: ["from": from.name, "to": to.name])
  }

  static func suspended(_ device: String) -> CaptureEvent {
    CaptureEvent(.streamSuspended, "\(printable(device)) was put to sleep", details: ["device": device])
  }

  static func resumed(_ device: String, after time: Duration) -> CaptureEvent {
    CaptureEvent(
      .streamResumed, "\(printable(device)) is awake again",
      details: ["device": device, "seconds": String(time / .seconds(1))])
  }

  static func serverLost(_ device: String, _ error: AudioError) -> CaptureEvent {
    CaptureEvent(.serverLost, "the sound server went away", details: ["device": device, "reason": error.message])
  }

  static func serverRestored(_ device: String, after time: Duration) -> CaptureEvent {
    CaptureEvent(
      .serverRestored, "the sound server is back", details: ["device": device, "seconds": String(time / .seconds(1))])
  }

  /// Another shape than before; `nil` where it is the same.
  static func formatChanged(from: CaptureDevice, to: CaptureDevice) -> CaptureEvent? {
    guard from.sampleRate != to.sampleRate || from.channelCount != to.channelCount else { return nil }
    return CaptureEvent(
      .formatChanged,
      "\(printable(to.description)) runs at \(to.sampleRate) Hz with \(to.channelCount) channels now, and is converted",
      details: [
        "device": to.name, "fromSampleRate": String(from.sampleRate), "toSampleRate": String(to.sampleRate),
        "fromChannelCount": String(from.channelCount), "toChannelCount": String(to.channelCount),
      ])
  }

  static func missing(_ seconds: Double) -> CaptureEvent {
    CaptureEvent(
      .framesMissing, "sound was lost on the way from the sound server", details: ["seconds": String(seconds)])
  }
}

extension CaptureDevice {
  fileprivate var sort: String { isMonitor ? "a monitor" : "a device" }

  fileprivate var details: [String: String] {
    [
      "device": name, "description": description, "isMonitor": String(isMonitor), "sampleRate": String(sampleRate),
      "channelCount": String(channelCount),
    ]
  }
}
