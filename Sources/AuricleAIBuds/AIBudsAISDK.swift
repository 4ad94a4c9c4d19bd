import AuricleCallbacks
import AuricleSession
import Foundation

/// The way in, as AIBuds has it.
///
/// Before the first recording the host sets ``environment`` and ``consentProvider``, and registers a provider if the
/// environment has none. Everything here can be used from any thread, also from a callback, and waits for nothing. Callbacks
/// come on ``callbackQueue``, one at a time, in order.
public final class AIBudsAISDK: NSObject, Sendable {
  static let service = AudioRecordingService(host: CallbackHost())

  private override init() {}

  /// Starts an AI audio recording session. Of `onStartSuccess` and `onStartFailure` exactly one is called, once.
  /// - Parameters:
  ///   - config: The session configuration.
  ///   - onStartSuccess: Called with the started session, before anything else of it.
  ///   - onStartFailure: Called when the session cannot start, after the events that say so; nothing follows.
  ///   - onTranscript: Called when speech is transcribed.
  ///   - onEvent: Called for session-level events.
  ///   - onError: Called when the running session encounters an error.
  ///   - onFinish: Called with the report: once, as the last of all. The next session may be started from it.
  public static func startAIAudioRecording(
    _ config: AIAudioRecordingSessionConfig = .default,
    onStartSuccess: ((_ session: any AIAudioRecordingSessionConvertible) -> Void)? = nil,
    onStartFailure: ((_ error: any Error) -> Void)? = nil,
    onTranscript: ((_ transcriptData: StreamSpeechASRModel) -> Void)? = nil,
    onEvent: ((_ event: AIAudioRecordingEventModel) -> Void)? = nil,
    onError: ((_ error: NSError) -> Void)? = nil,
    onFinish: ((_ report: AIAudioRecordingReportModel) -> Void)? = nil
  ) {
    let callbacks = RecordingCallbacks(
      startSuccess: onStartSuccess.map { HostCallback($0) }, startFailure: onStartFailure.map { HostCallback($0) },
      transcript: onTranscript.map { HostCallback($0) }, event: onEvent.map { HostCallback($0) },
      error: onError.map { HostCallback($0) }, finish: onFinish.map { HostCallback($0) })
    service.start(config, callbacks)
  }

  /// Stops the current AI audio recording service session; harmless when there is none.
  public static func stopAIAudioRecording() { service.stop() }
}
