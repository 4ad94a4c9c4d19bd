import AuricleCallbacks
import AuricleRecognition
import AuricleSession
import Foundation

/// Who is told what of one recording.
struct RecordingCallbacks: Sendable {
  var startSuccess: HostCallback<any AIAudioRecordingSessionConvertible>?
  var startFailure: HostCallback<any Error>?
  var transcript: HostCallback<StreamSpeechASRModel>?
  var event: HostCallback<AIAudioRecordingEventModel>?
  var error: HostCallback<NSError>?
  var finish: HostCallback<AIAudioRecordingReportModel>?
}

/// What stands behind ``AIBudsAISDK``: one recording at a time.
final class AudioRecordingService: Sendable {
  let host: CallbackHost
  let caller: SessionCaller

  init(host: CallbackHost) {
    self.host = host
    caller = SessionCaller(host: host)
  }

  func start(_ config: AIAudioRecordingSessionConfig, _ callbacks: RecordingCallbacks) {
    let session = StartedSession(requestId: UUID().uuidString, config: config)
    var told = SessionCallbacks()
    told.didStart = { callbacks.startSuccess?(session) }
    told.didNotStart = { callbacks.startFailure?(NSError(aiBuds: $0)) }
    told.result = { callbacks.tell($0, requestId: session.requestId) }
    caller.start(SessionRequest(.text) { consent in config.configuration(consent) }, told)
  }

  func stop() { _ = caller.stop(.text) }

  func registry() throws -> ProviderRegistry {
    guard let registry = host.environment?.registry else {
      let message = "no environment is set; set one before you register or select a provider"
      throw NSError(aiBuds: SessionFailure(RecognitionError(.notConfigured, message)))
    }
    return registry
  }

  func select(_ vendor: String?) throws {
    let registry = try registry()
    do { try registry.select(vendor) } catch { throw NSError(aiBuds: SessionFailure(error)) }
    guard let vendor, let session = caller.session else { return }
    do { try session.selectProvider(vendor) } catch { throw NSError(aiBuds: error) }
  }
}

extension RecordingCallbacks {
  fileprivate func tell(_ result: SessionResult, requestId: String) {
    switch result {
    case .transcript(let words):
      let model = StreamSpeechASRModel(
        ReportTranscript(words), stablePrefix: words.stablePrefix, isFinal: words.isSentenceFinal, requestId: requestId)
      transcript?(model)
    case .event(let event): self.event?(AIAudioRecordingEventModel(ReportEvent(event)))
    case .failure(let failure): error?(NSError(aiBuds: failure))
    case .finish(let report): finish?(AIAudioRecordingReportModel(report, requestId: requestId))
    case .recording: break
    }
  }
}
