import AuricleAudio
import AuricleCallbacks
import AuricleConsent
import AuricleRecognition
import AuricleSession
import AuricleTestKit

/// A session that does what a test says.
final class ScriptedSession: CallableSession {
  private struct State {
    var reason: StopReason?
    var stopCount = 0
  }

  /// Why it does not start.
  let startFailure: SessionFailure?
  /// What is delivered before the end of the audio.
  let results: [SessionResult]
  /// What is delivered behind it; the finish is added.
  let lateResults: [SessionResult]
  /// The pieces of audio.
  let audio: [[UInt8]]
  /// Whether it ends by itself when everything is delivered.
  let reason: StopReason?
  /// What the start waits for.
  let startGate: ScriptGate?
  private let ended = StopSignal()
  private let state = Guarded(State())

  init(
    startFailure: SessionFailure? = nil, results: [SessionResult] = [], lateResults: [SessionResult] = [],
    audio: [[UInt8]] = [], reason: StopReason? = nil, startGate: ScriptGate? = nil
  ) {
    self.startFailure = startFailure
    self.results = results
    self.lateResults = lateResults
    self.audio = audio
    self.reason = reason
    self.startGate = startGate
  }

  var stopCount: Int { state.withLock { $0.stopCount } }

  func start() async throws(SessionFailure) {
    await startGate?.pass()
    if let startFailure { throw startFailure }
    if let reason { end(reason, nil) }
  }

  func stop() {
    state.withLock { $0.stopCount += 1 }
    end(.userInitiated, nil)
  }

  func end(_ reason: StopReason, _ failure: SessionFailure?) {
    state.withLock { $0.reason = $0.reason ?? reason }
    ended.stop()
  }

  func interrupt(_ reason: InterruptionReason) { end(.interrupted, nil) }
  func withdrawConsent() { stop() }
  func appWillTerminate() { stop() }
  func linkBroke() {}
  func selectProvider(_ vendor: String) throws(SessionFailure) {}

  func deliver(to take: @Sendable (SessionDelivery) async -> Void) async {
    for result in results { await take(SessionDelivery(emitted: 0, result: result)) }
    guard startFailure == nil else { return }
    _ = await ended.wait()
    for result in lateResults { await take(SessionDelivery(emitted: 0, result: result)) }
    await take(SessionDelivery(emitted: 0, result: .finish(.sample)))
  }

  func audioReader() -> AudioReader {
    { [audio, ended] take in
      for piece in audio { await take(piece) }
      _ = await ended.wait()
    }
  }

  func audioEnd() async -> (reason: StopReason, failure: SessionFailure?) {
    _ = await ended.wait()
    return (state.withLock { $0.reason } ?? .unknown, nil)
  }
}

extension RecordingReport {
  /// A report of nothing.
  static var sample: RecordingReport {
    ReportBuilder(context: ReportContext(provider: nil), startTime: Timestamp(millisecondsSince1970: 0)).current
  }
}
