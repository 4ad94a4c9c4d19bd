import AuricleCapture

/// A device and the number that its server gave it; a device that comes back has another number.
struct ListedDevice: Sendable, Hashable {
  let number: UInt32
  let device: CaptureDevice
}

/// The devices that were there at last, compared with those that are there now.
struct KnownDevices: Sendable {
  private var listed: [ListedDevice]
  private var defaultDevice: CaptureDevice?

  init(_ listed: [ListedDevice]) {
    self.listed = listed
    defaultDevice = listed.defaultDevice
  }

  /// Tells what came, what went, and which is the default now. A volume or a state that changes is nothing of these.
  mutating func update(_ now: [ListedDevice]) -> [CaptureEvent] {
    let (before, defaultBefore) = (listed, defaultDevice)
    (listed, defaultDevice) = (now, now.defaultDevice)
    let numbers = Set(now.map(\.number))
    let numbersBefore = Set(before.map(\.number))
    var events = before.filter { !numbers.contains($0.number) }.map { CaptureEvent.removed($0.device) }
    events += now.filter { !numbersBefore.contains($0.number) }.map { CaptureEvent.added($0.device) }
    if defaultDevice?.name != defaultBefore?.name {
      events.append(.defaultChanged(from: defaultBefore, to: defaultDevice))
    }
    return events
  }

  /// The device that was heard is gone, although no list said so yet.
  mutating func remove(_ name: String) -> [CaptureEvent] {
    guard let index = listed.firstIndex(where: { $0.device.name == name }) else { return [] }
    return [.removed(listed.remove(at: index).device, isInUse: true)]
  }
}

extension [ListedDevice] {
  fileprivate var defaultDevice: CaptureDevice? { first(where: \.device.isDefault)?.device }
}
