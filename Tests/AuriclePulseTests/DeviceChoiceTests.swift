import AuricleAudio
import AuricleCapture
import Testing

@testable import AuriclePulse

@Suite struct DeviceChoiceTests {
  private func device(_ name: String, isMonitor: Bool = false, isDefault: Bool = false) -> CaptureDevice {
    CaptureDevice(
      name: name, description: name, isMonitor: isMonitor, isDefault: isDefault, sampleRate: 48_000, channelCount: 2)
  }

  private func failure(_ devices: [CaptureDevice], _ name: String?) -> AudioError? {
    #expect(throws: AudioError.self) { try devices.chosen(name) }
  }

  @Test("Without a name it is the default, with one the named, also a monitor")
  func choice() throws {
    let devices = [device("a.monitor", isMonitor: true), device("b", isDefault: true)]
    #expect(try devices.chosen(nil).name == "b")
    #expect(try devices.chosen("a.monitor").name == "a.monitor")
  }

  @Test("A default monitor is refused, and the way to record it is told")
  func monitor() {
    let error = failure([device("a.monitor", isMonitor: true, isDefault: true)], nil)
    #expect(error?.kind == .notFound)
    #expect(error?.message.contains("--source") == true)
    #expect(error?.message.contains("a.monitor") == true)
  }

  @Test("Without a default, and without any source, the message says so")
  func nothing() {
    #expect(failure([device("a")], nil)?.message.contains("there is a)") == true)
    #expect(failure([], nil)?.message.contains("no sources at all") == true)
  }

  @Test(
    "An unknown name lists what there is, and asks for the one that was meant",
    arguments: [
      ("usb", "alsa_input.usb-blue"), ("alsa_inptu.usb-blue", "alsa_input.usb-blue"),
      ("alsa_input.usb-blu", "alsa_input.usb-blue"), ("PCI", "alsa_input.pci-1"), ("speaker", nil), ("", nil),
    ] as [(String, String?)])
  func unknown(_ name: String, _ meant: String?) throws {
    let error = failure([device("alsa_input.pci-1", isDefault: true), device("alsa_input.usb-blue")], name)
    #expect(error?.kind == .notFound)
    let message = try #require(error?.message)
    #expect(message.contains("there are alsa_input.pci-1, alsa_input.usb-blue"))
    #expect(message.contains("did you mean") == (meant != nil))
    if let meant { #expect(message.contains("did you mean \(meant)?")) }
  }

  @Test("A message stays one line, whatever a name holds, and does not list without end")
  func oneLine() {
    let devices = (0..<20).map { device("source\n\u{1B}[2J-\($0)") }
    let message = failure(devices, "x\ny")?.message ?? ""
    #expect(!message.contains { $0.isNewline })
    #expect(!message.contains("\u{1B}"))
    #expect(message.contains("and 12 more"))
  }
}
