import AuricleConsent
import AuricleRecognition
import AuricleSession

/// What a layer wants recorded.
package struct SessionRequest: Sendable {
  /// What becomes of the audio.
  package enum Purpose: Sendable, Hashable {
    /// It is kept.
    case audio
    /// It is kept and becomes text.
    case text
  }

  /// What becomes of it; a stop means one of them.
  package let purpose: Purpose
  /// Who agreed, where that was asked already; `nil` asks.
  package let consent: ConsentRecord?
  /// Makes the configuration, once there is consent.
  package let configure: @Sendable (ConsentRecord) throws(SessionFailure) -> SessionConfiguration
  /// Makes the session.
  package let open: @Sendable (SessionConfiguration, SessionEnvironment) -> any CallableSession

  /// Describes a request.
  package init(
    _ purpose: Purpose, consent: ConsentRecord? = nil,
    configure: @escaping @Sendable (ConsentRecord) throws(SessionFailure) -> SessionConfiguration,
    open: @escaping @Sendable (SessionConfiguration, SessionEnvironment) -> any CallableSession = {
      RecordingSession($0, environment: $1)
    }
  ) {
    self.purpose = purpose
    self.consent = consent
    self.configure = configure
    self.open = open
  }
}

/// Who is told what of one session. All are called by the lane: one at a time, in order.
package struct SessionCallbacks: Sendable {
  /// It runs. Either this or the next, exactly once, before everything but the events of a start that fails.
  package var didStart: @Sendable () -> Void = {}
  /// It does not run; nothing follows.
  package var didNotStart: @Sendable (SessionFailure) -> Void = { _ in }
  /// Audio, 16 kHz mono, 16 bit little endian, in order; `nil` when nobody wants it.
  package var audio: (@Sendable ([UInt8]) -> Void)?
  /// Results in order. The finish is the last call of all; audio that is only kept has none.
  package var result: @Sendable (SessionResult) -> Void = { _ in }
  /// The audio has ended, and all of it was delivered: exactly once for what started. The last call for audio that is only
  /// kept, when everything is written.
  package var audioEnded: @Sendable (StopReason, SessionFailure?) -> Void = { _, _ in }
  /// What the recording does now.
  package var stateChanged: @Sendable (RecordingMachine.State) -> Void = { _ in }

  /// Tells nobody.
  package init() {}
}

/// Reads the audio of a session, piece by piece.
package typealias AudioReader = @Sendable (_ take: @escaping @Sendable ([UInt8]) async -> Void) async -> Void

/// A session as the layers use it.
package protocol CallableSession: Sendable {
  /// Starts it; returns once audio is taken.
  func start() async throws(SessionFailure)
  /// Ends the audio; harmless when repeated, and never waits.
  func stop()
  /// Ends the audio for a reason.
  func end(_ reason: StopReason, _ failure: SessionFailure?)
  /// Ends the audio, since the source was taken away.
  func interrupt(_ reason: InterruptionReason)
  /// Nobody agrees any more.
  func withdrawConsent()
  /// The program is about to end.
  func appWillTerminate()
  /// The link to the device broke; it may come back.
  func linkBroke()
  /// Goes on with another provider.
  func selectProvider(_ vendor: String) throws(SessionFailure)
  /// Hands over all deliveries, in order, and waits for each to be taken; returns behind the last.
  func deliver(to take: @Sendable (SessionDelivery) async -> Void) async
  /// A reader of the audio, 16 kHz mono, 16 bit little endian, from its beginning on. To be asked for before the start; hands
  /// over each piece in order, waits until it is taken, and returns behind the last.
  func audioReader() -> AudioReader
  /// Waits for the end of the audio.
  func audioEnd() async -> (reason: StopReason, failure: SessionFailure?)
}
