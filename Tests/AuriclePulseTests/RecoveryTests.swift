import AuricleAudio
import AuricleCapture
import Testing

@testable import AuriclePulse

@Suite("The search for a lost device, as a value") struct RecoveryTests {
  private let lost = AudioError(.deviceLost, "gone")
  private let microphone = device("mic")

  private static func device(_ name: String, monitor: Bool = false, isDefault: Bool = false) -> CaptureDevice {
    CaptureDevice(
      name: name, description: name, isMonitor: monitor, isDefault: isDefault, sampleRate: 48_000, channelCount: 2)
  }

  private func away(_ policy: CapturePolicy) -> Recovery {
    var recovery = Recovery(policy)
    #expect(recovery.lost(lost, at: .seconds(10)) == .seek)
    return recovery
  }

  @Test("Without a wish to go on, a loss ends it once")
  func ends() {
    var recovery = Recovery(.end)
    #expect(recovery.lost(lost, at: .zero) == .finish(lost))
    #expect(recovery.lost(lost, at: .zero) == .ignore)
    #expect(recovery.found([microphone], insteadOf: microphone, at: .zero) == .stop)
    #expect(recovery.opened() == false)
  }

  @Test("The same device is waited for, for as long as the grace; a further loss is part of the first")
  func sameDevice() {
    var recovery = away(.recover(grace: .seconds(30)))
    #expect(recovery.lost(AudioError(.serverLost, "gone too"), at: .seconds(20)) == .ignore)
    let others = [Self.device("usb", isDefault: true), Self.device("mic", monitor: true)]
    #expect(recovery.found([], insteadOf: microphone, at: .seconds(11)) == .lookAgain)
    #expect(recovery.found(others, insteadOf: microphone, at: .seconds(39.9)) == .lookAgain)
    var found = recovery
    #expect(found.found(others + [microphone], insteadOf: microphone, at: .seconds(39.9)) == .open(microphone))
    #expect(found.absence?.since == .seconds(10))
    #expect(found.opened() == true)
    #expect(found.opened() == false)
    #expect(found.absence == nil)
    #expect(found.lost(lost, at: .seconds(50)) == .seek)
    #expect(found.absence?.since == .seconds(50))
    #expect(recovery.found([microphone], insteadOf: microphone, at: .seconds(40)) == .finish(lost))
    #expect(recovery.found([microphone], insteadOf: microphone, at: .seconds(40)) == .stop)
    #expect(recovery.opened() == false)
  }

  @Test("C3: The default stands in only by choice, and only for a device of its own sort")
  func sorts() {
    let monitor = Self.device("speaker.monitor", monitor: true, isDefault: true)
    let usb = Self.device("usb", isDefault: true)
    for (there, lostDevice, expected) in [
      ([monitor], microphone, nil), ([usb], microphone, usb), ([usb, microphone], microphone, microphone),
      ([usb], Self.device("headset.monitor", monitor: true), nil),
      ([monitor], Self.device("headset.monitor", monitor: true), monitor),
      ([Self.device("usb")], microphone, nil),
    ] as [([CaptureDevice], CaptureDevice, CaptureDevice?)] {
      var recovery = away(.recover(onto: .followDefault))
      let action = recovery.found(there, insteadOf: lostDevice, at: .seconds(11))
      #expect(action == expected.map { .open($0) } ?? .lookAgain)
    }
  }

  @Test("After a stop nothing is sought or opened")
  func stopped() {
    var recovery = away(.recover())
    recovery.stop()
    #expect(recovery.found([microphone], insteadOf: microphone, at: .seconds(11)) == .stop)
    #expect(recovery.opened() == false)
    #expect(recovery.lost(lost, at: .seconds(11)) == .ignore)
  }

  private func list(_ names: [(UInt32, String)], default name: String?) -> [ListedDevice] {
    names.map { ListedDevice(number: $0.0, device: Self.device($0.1, isDefault: $0.1 == name)) }
  }

  @Test("What came, went and became the default is told once")
  func devices() {
    var known = KnownDevices(list([(0, "a"), (1, "b")], default: "a"))
    func told(_ events: [CaptureEvent]) -> [String] {
      events.map { "\($0.kind.name) \($0.details["device"] ?? $0.details["to"] ?? "none")" }
    }
    #expect(told(known.update(list([(0, "a"), (1, "b")], default: "a"))) == [])
    #expect(told(known.update(list([(1, "b"), (0, "a"), (2, "c")], default: "a"))) == ["deviceAdded c"])
    #expect(told(known.remove("a")) == ["deviceRemoved a"])
    #expect(told(known.remove("a")) == [])
    #expect(told(known.update(list([(1, "b"), (2, "c")], default: "c"))) == ["defaultDeviceChanged c"])
    // The same name with another number is a device that went and came.
    #expect(told(known.update(list([(1, "b"), (3, "c")], default: "c"))) == ["deviceRemoved c", "deviceAdded c"])
    #expect(
      told(known.update([])) == ["deviceRemoved b", "deviceRemoved c", "defaultDeviceChanged none"])
  }
}
