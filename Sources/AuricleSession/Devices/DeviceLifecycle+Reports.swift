// What is reported to the device: only what has happened, only what it asked for, and once.
extension DeviceLifecycle {
  mutating func reportStarted(_ scene: SessionConfiguration.Scene) -> [Action] {
    guard phase != .closed else { return [.refuse(.isClosed)] }
    if let refusal = refusal(startReport) { return [refusal] }
    guard phase == .active, scene == self.scene else { return [Self.notHappened("no such recording runs")] }
    guard !isAway else { return [.refuse(.isGone)] }
    startReport = .done
    return [.reportStarted(scene)]
  }

  mutating func reportStopped() -> [Action] {
    guard phase != .closed else { return [.refuse(.isClosed)] }
    guard !isAway else { return [.refuse(.isGone)] }
    if let refusal = refusal(stopReport) { return [refusal] }
    stopReport = .done
    return [.reportStopped]
  }

  private func refusal(_ report: Report) -> Action? {
    switch report {
    case .due: nil
    case .done: .refuse(DeviceError(.alreadyReported, "that was reported to the device before"))
    case .notDue, .lapsed:
      isAsked || generation == 0
        ? Self.notHappened("nothing of the kind has happened")
        : .refuse(DeviceError(.notAsked, "the device did not ask for the recording, so nothing is reported to it"))
    }
  }

  private static func notHappened(_ why: String) -> Action {
    .refuse(DeviceError(.notHappened, "\(why); report it to the device when it has"))
  }
}
