import AuricleCallbacks
import AuricleConsent
import AuricleRecognition
import AuricleSession
import AuricleTestKit
import Foundation

/// Writes down what is called, in order.
final class CallLog: Sendable {
  private let state = Guarded<[String]>([])
  /// Thrown by the call that is the last of a session: a start that failed, or the finish.
  let over = StopSignal()
  /// Thrown by a start that succeeded.
  let started = StopSignal()

  func note(_ call: String) { state.withLock { $0.append(call) } }
  var calls: [String] { state.withLock { $0.map { $0 } } }
  /// The calls without what the recording does.
  var told: [String] { calls.filter { !$0.hasPrefix("state ") } }
  var states: [String] { calls.filter { $0.hasPrefix("state ") }.map { String($0.dropFirst(6)) } }

  /// Callbacks that write everything down.
  /// - Parameter onCall: What each callback does beside that.
  func callbacks(wantsAudio: Bool = false, onCall: @escaping @Sendable (String) -> Void = { _ in }) -> SessionCallbacks
  {
    let note: @Sendable (String) -> Void = { call in
      self.note(call)
      onCall(call)
    }
    var callbacks = SessionCallbacks()
    callbacks.didStart = { [started] in
      note("started")
      started.stop()
    }
    callbacks.didNotStart = { [over] in
      note("failed \($0.code)")
      over.stop()
    }
    if wantsAudio { callbacks.audio = { note("audio \($0.count)") } }
    callbacks.result = { [over] in
      note($0.shortName)
      if $0.shortName == "finish" { over.stop() }
    }
    callbacks.audioEnded = { reason, _ in note("ended \(reason.name)") }
    callbacks.stateChanged = { note("state \($0)") }
    return callbacks
  }
}

extension SessionResult {
  /// What it is, and which one.
  var shortName: String {
    switch self {
    case .transcript(let transcript): "transcript \(transcript.sentenceIndex) \(transcript.text)"
    case .event(let event): event.kind.name
    case .failure(let failure): "error \(failure.code)"
    case .recording: "status"
    case .finish: "finish"
    }
  }

  /// An event of a kind.
  static func event(_ kind: SessionEvent.Kind) -> SessionResult { .event(SessionEvent(kind, time: 0)) }
}

extension CallbackHost {
  /// A host that has set everything, and everyone agrees.
  static func ready(
    queue: DispatchQueue = DispatchQueue(label: "callbacks"), environment: SessionEnvironment = .empty,
    consent: @escaping ConsentQuestion = { ConsentRecordSample.record }
  ) -> CallbackHost {
    let host = CallbackHost(queue: queue)
    host.environment = environment
    host.consent = consent
    return host
  }
}

extension SessionEnvironment {
  /// Nothing can be opened in it.
  static var empty: SessionEnvironment {
    let failure = SessionFailure(domain: "test", code: "none", message: "there is nothing here")
    return SessionEnvironment(
      registry: ProviderRegistry(), openInput: { _, _ in throw failure }, makeFiles: { _ in throw failure },
      speech: { $0 }, wallClock: { Timestamp(millisecondsSince1970: 0) })
  }
}

extension SessionRequest {
  /// Asks for what a test scripted.
  static func scripted(_ purpose: Purpose = .text, _ session: @escaping @Sendable () -> ScriptedSession) -> Self {
    SessionRequest(purpose, configure: { SessionConfiguration(consent: $0) }, open: { _, _ in session() })
  }
}
