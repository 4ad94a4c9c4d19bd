import AuricleAudio
import AuricleCapture
import AuricleRecognition

extension SessionEvent {
  /// What a recording tells when its source notices something: the event that is named for it, else that the audio is odd.
  init(captured notice: AudioNotice, time: Double) {
    guard let kind = Self.kinds[notice.kind.name] else {
      self.init(notice, time: time)
      return
    }
    let details = notice.details.merging(["kind": notice.kind.name]) { _, kind in kind }
    self.init(kind, time: time, details: details, evidence: notice.message)
  }

  /// The default device may change without the one that is heard; so only a stream that moved has another route.
  private static let kinds: [String: Kind] = [
    CaptureEvent.Kind.inputSilent.name: .inputSilent,
    CaptureEvent.Kind.inputStalled.name: .inputSilent,
    CaptureEvent.Kind.inputClipping.name: .inputClipping,
    CaptureEvent.Kind.streamMoved.name: .inputRouteChanged,
    CaptureEvent.Kind.streamSuspended.name: .interruptionBegan,
    CaptureEvent.Kind.streamResumed.name: .interruptionEnded,
  ]
}
