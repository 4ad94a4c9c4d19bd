import AuricleCapture
import AuricleSession

/// What `devices` shows.
struct DeviceList {
  private let devices: [CaptureDevice]

  init(_ devices: [CaptureDevice]) { self.devices = devices }

  /// One line a device: a mark for the default one, the name, the format, the description.
  var table: String {
    guard !devices.isEmpty else { return "There is nothing to record: the sound server has no sources.\n" }
    let rows = devices.map { device in
      (name: PlainText.line(device.name), format: "\(device.sampleRate) Hz, \(device.channelCount) ch", device: device)
    }
    let nameWidth = rows.map { TextWidth.of($0.name) }.max() ?? 0
    let formatWidth = rows.map { TextWidth.of($0.format) }.max() ?? 0
    return rows.map { row in
      let mark = row.device.isDefault && !row.device.isMonitor ? "*" : " "
      let kind = row.device.isMonitor ? " (monitor)" : ""
      return "\(mark) \(padded(row.name, nameWidth))  \(padded(row.format, formatWidth))  "
        + "\(PlainText.line(row.device.description))\(kind)\n"
    }.joined()
  }

  /// An array of objects.
  var json: String { ((try? JSONText.encode(devices, isPretty: true)) ?? "[]") + "\n" }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: width - TextWidth.of(text))
  }
}
