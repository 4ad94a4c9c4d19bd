import AuricleRecognition

/// What the parts of a run tell each other: when it began, when the file was closed, how far the recogniser is.
final class RecordingProgressMark<Instant: Sendable>: Sendable {
  private struct State {
    var start: Instant?
    var closeTime: Timestamp?
    var heardSeconds = 0.0
    var stepCount = 0
    var isDeaf = false
  }

  private let state = Guarded(State())
  /// Thrown when the recogniser is there.
  let loaded = StopSignal()

  /// Whether the recogniser is there.
  var isLoaded: Bool { loaded.isStopped }
  /// When the first audio was there.
  var start: Instant? { state.withLock { $0.start } }
  /// When the file was closed.
  var closeTime: Timestamp? { state.withLock { $0.closeTime } }
  /// Up to where the recogniser was fed.
  var heardSeconds: Double { state.withLock { $0.heardSeconds } }
  /// Grows whenever the recogniser takes or gives something.
  var stepCount: Int { state.withLock { $0.stepCount } }

  /// Whether the recogniser reads no more.
  var isDeaf: Bool { state.withLock { $0.isDeaf } }

  /// The recogniser reads no more.
  func deafen() { state.withLock { $0.isDeaf = true } }

  /// Keeps the first instant, no later one.
  func begin(_ instant: Instant) { state.withLock { $0.start = $0.start ?? instant } }

  /// The file is closed.
  func close(_ time: Timestamp) { state.withLock { $0.closeTime = time } }

  /// The recogniser gave something.
  func step() { state.withLock { $0.stepCount += 1 } }

  /// The recogniser was fed up to there.
  func hear(_ seconds: Double) {
    state.withLock { state in
      state.heardSeconds = seconds
      state.stepCount += 1
    }
  }
}
