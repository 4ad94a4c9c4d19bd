import AuricleAudio
import Synchronization

extension ConsentGate {
  /// Whether samples may pass, and if not, why not.
  public enum State: UInt8, Sendable, CaseIterable, AtomicRepresentable {
    /// Nobody agreed yet. Legal: grant, withdraw.
    case closed
    /// Everyone agreed. Legal: pause, withdraw.
    case open
    /// Everyone agreed, and the user wants a break. Legal: resume, withdraw.
    case paused
    /// The agreement was taken back, for good. Nothing is legal any more.
    case withdrawn

    /// Why frames are missing that come in this state; `nil` where they pass.
    public var gapReason: AudioGap.Reason? {
      switch self {
      case .closed: .noConsent
      case .open: nil
      case .paused: .paused
      case .withdrawn: .consentWithdrawn
      }
    }

    /// Where an event leads. What is late or repeated leads nowhere.
    func after(_ event: Event) -> State {
      switch (self, event) {
      case (.closed, .grant): .open
      case (.closed, .pause), (.closed, .resume): .closed
      case (.open, .pause): .paused
      case (.open, .grant), (.open, .resume): .open
      case (.paused, .resume): .open
      case (.paused, .grant), (.paused, .pause): .paused
      case (.withdrawn, .grant), (.withdrawn, .pause), (.withdrawn, .resume): .withdrawn
      case (_, .withdraw): .withdrawn
      }
    }
  }

  /// What can happen to a gate.
  enum Event: CaseIterable {
    case grant, pause, resume, withdraw
  }
}
