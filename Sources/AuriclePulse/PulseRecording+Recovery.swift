import AuricleAudio
import AuricleCapture

/// How often to look for something to hear again.
private let seekInterval = Duration.milliseconds(250)

// What becomes of the stream; on the library's thread.
extension PulseRecording {
  func streamIsLost(_ error: AudioError, isDeviceGone: Bool) {
    let now = setup.time.now()
    let (action, events) = lock.withLock {
      (state.recovery.lost(error, at: now), eventsOfLoss(error, isDeviceGone: isDeviceGone))
    }
    tell(events)
    switch action {
    case .ignore: break
    case .finish(let error): source.finish(throwing: error)
    case .seek:
      let seeking = seeking()
      lock.withLock { state.seeking = seeking }
    }
  }

  /// Under the lock.
  private func eventsOfLoss(_ error: AudioError, isDeviceGone: Bool) -> [CaptureEvent] {
    if isDeviceGone { return state.known.remove(state.device.name) }
    guard error.kind == .serverLost else { return [] }
    state.isServerLost = true
    return [.serverLost(state.device.name, error)]
  }

  func streamIsMoved(to device: CaptureDevice) -> Bool {
    let event: CaptureEvent? = lock.withLock {
      guard device.isMonitor == state.device.isMonitor else { return nil }
      defer { state.device = device }
      return .moved(from: state.device, to: device)
    }
    guard let event else { return false }
    tell([event])
    return true
  }
}

// The search for something to hear again; on threads of its own.
extension PulseRecording {
  /// Looks again and again. Owned by the recording, whose end cancels it.
  private func seeking() -> Task<Void, Never> {
    Task.detached { [weak self, time = setup.time] in
      while await PulseRecording.isSoughtFurther(self) {
        guard (try? await time.sleep(seekInterval)) != nil else { return }
      }
    }
  }

  private static func isSoughtFurther(_ recording: PulseRecording?) async -> Bool {
    guard let recording else { return false }
    return (try? await OwnThread.run { () throws(AudioError) in recording.seek() }) ?? false
  }

  /// Looks once.
  /// - Returns: Whether to look again.
  private func seek() -> Bool {
    let connection = try? PulseConnection(server: setup.server, patience: setup.patience)
    let listed = try? connection?.listDevices()
    let now = setup.time.now()
    let (action, events) = lock.withLock {
      (
        state.recovery.found(listed?.map(\.device) ?? [], insteadOf: state.device, at: now),
        eventsOfLook(listed, at: now)
      )
    }
    tell(events)
    switch action {
    case .lookAgain: return true
    case .stop: return false
    case .finish(let error):
      source.finish(throwing: error)
      return false
    case .open(let device):
      guard let connection, let stream = try? connect(connection, to: device) else { return true }
      adopt(stream, device)
      return false
    }
  }

  /// Under the lock. Where the server did not go away, the lost stream's connection still tells of devices.
  private func eventsOfLook(_ listed: [ListedDevice]?, at now: Duration) -> [CaptureEvent] {
    guard let absence = state.recovery.absence, absence.reason.kind == .serverLost, let listed else { return [] }
    guard state.isServerLost else { return state.known.update(listed) }
    state.isServerLost = false
    // Another server: all of its devices are new, and that is no news.
    state.known = KnownDevices(listed)
    return [.serverRestored(state.device.name, after: now - absence.since)]
  }

  private func adopt(_ stream: PulseStream, _ device: CaptureDevice) {
    changing.withLock {
      let old = lock.withLock {
        defer { state.stream = nil }
        return state.stream
      }
      // First, so that only one stream writes into the ring, and only one tells of devices.
      old?.close()
      guard let change = lock.withLock({ accept(stream, device) }) else { return stream.close() }
      stream.begin(after: change.since, change.events)
    }
  }

  /// Under the lock.
  /// - Returns: Since when nothing was heard, and what is told behind the gap; `nil` when nobody wants to hear any more.
  private func accept(_ stream: PulseStream, _ device: CaptureDevice) -> (since: Duration, events: [CaptureEvent])? {
    guard let absence = state.recovery.absence, state.recovery.opened() else { return nil }
    let before = state.device
    (state.stream, state.device, state.seeking) = (stream, device, nil)
    var events = device.name == before.name ? [] : [CaptureEvent.moved(from: before, to: device)]
    if let event = CaptureEvent.formatChanged(from: before, to: device) { events.append(event) }
    return (absence.since, events)
  }
}
