import AuricleAudio
import AuricleCapture

/// What becomes of a recording when its device goes away: a pure state machine. Times are since any fixed moment.
struct Recovery: Sendable {
  private enum Phase {
    /// A device is heard. Legal: all events; `found` and `opened` belong to an earlier loss and are ignored.
    case hearing
    /// Nothing is heard, and something is sought. Legal: all events; a further loss is part of the first.
    case away(since: Duration, AudioError)
    /// It has ended. Everything is ignored.
    case over
  }

  /// What to do after a loss.
  enum LossAction: Equatable {
    case ignore
    case finish(AudioError)
    case seek
  }

  /// What to do after a look at what is there.
  enum SeekAction: Equatable {
    case open(CaptureDevice)
    case lookAgain
    case finish(AudioError)
    case stop
  }

  private let policy: CapturePolicy
  private var phase = Phase.hearing

  init(_ policy: CapturePolicy) { self.policy = policy }

  /// Since when nothing is heard, and why.
  var absence: (since: Duration, reason: AudioError)? {
    switch phase {
    case .hearing, .over: nil
    case .away(let since, let reason): (since, reason)
    }
  }

  /// The device or the server went away.
  mutating func lost(_ error: AudioError, at now: Duration) -> LossAction {
    switch (phase, policy) {
    case (.away, _), (.over, _): return .ignore
    case (.hearing, .end):
      phase = .over
      return .finish(error)
    case (.hearing, .recover):
      phase = .away(since: now, error)
      return .seek
    }
  }

  /// These devices are there; none, where no server answers.
  mutating func found(_ devices: [CaptureDevice], insteadOf device: CaptureDevice, at now: Duration) -> SeekAction {
    guard case .away(let since, let reason) = phase, case .recover(let grace, let replacement) = policy else {
      return .stop
    }
    if now - since >= grace {
      phase = .over
      return .finish(reason)
    }
    return devices.replacement(of: device, replacement).map { .open($0) } ?? .lookAgain
  }

  /// A device is heard again.
  /// - Returns: Whether it is still wanted.
  mutating func opened() -> Bool {
    switch phase {
    case .hearing, .over: return false
    case .away:
      phase = .hearing
      return true
    }
  }

  /// The user has stopped.
  mutating func stop() { phase = .over }
}

extension [CaptureDevice] {
  /// What may be heard instead of a device that went away: only one of the same sort, since a monitor hears what is
  /// played and a microphone hears a room.
  fileprivate func replacement(of lost: CaptureDevice, _ rule: CapturePolicy.Replacement) -> CaptureDevice? {
    let candidates = filter { $0.isMonitor == lost.isMonitor }
    let same = candidates.first { $0.name == lost.name }
    switch rule {
    case .sameDevice: return same
    case .followDefault: return same ?? candidates.first(where: \.isDefault)
    }
  }
}
