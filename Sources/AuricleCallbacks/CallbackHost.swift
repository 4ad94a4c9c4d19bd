import AuricleConsent
import AuricleRecognition
import AuricleSession
import Foundation

/// Answers who agreed to be recorded; `nil` when somebody did not. It may ask people and take its time.
package typealias ConsentQuestion = @Sendable () async -> ConsentRecord?

/// What a host sets for all sessions of a layer, before the first one.
package final class CallbackHost: Sendable {
  private struct State {
    var environment: SessionEnvironment?
    var consent: ConsentQuestion?
  }

  private let state = Guarded(State())
  /// Calls the host's callbacks.
  package let lane: CallbackLane

  /// Creates a host that has set nothing.
  package init(queue: DispatchQueue = .main) { lane = CallbackLane(queue: queue) }

  /// Where microphones, files and providers come from; `nil` until the host says so.
  package var environment: SessionEnvironment? {
    get { state.withLock { $0.environment } }
    set { state.withLock { $0.environment = newValue } }
  }

  /// Who answers for the people in the room; `nil` until the host says so.
  package var consent: ConsentQuestion? {
    get { state.withLock { $0.consent } }
    set { state.withLock { $0.consent = newValue } }
  }
}
