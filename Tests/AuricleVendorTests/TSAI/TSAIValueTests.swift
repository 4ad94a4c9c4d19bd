import AuricleRecognition
import AuricleSession
import Foundation
import Testing

@testable import AuricleTSAI

@Suite("TSAIKit's names and numbers")
struct TSAIValueTests {
  @Test("§10: The raw values of the scenes are -1, 1 and 2")
  func scenes() {
    #expect(TSAIAudioRecordScene.allCases.map(\.rawValue) == [-1, 1, 2])
    #expect(TSAIAudioRecordScene.unknown.rawValue == -1 && TSAIAudioRecordScene.onSite.rawValue == 1)
    #expect(TSAIAudioRecordScene.call.rawValue == 2)
    #expect(TSAIAudioRecordScene.call.scene == .call && TSAIAudioRecordScene.onSite.scene == .onSite)
    #expect(TSAIAudioRecordScene.unknown.scene == nil)
  }

  @Test("§1: The raw values of the stop reasons are 0 to 6, and each is the core's of that number")
  func stopReasons() {
    let names = [
      "unknown", "userInitiated", "maxDurationReached", "deviceError", "storageFull", "disconnected", "interrupted",
    ]
    #expect(TSAudioRecordStopReason.allCases.map(\.rawValue) == Array(0...6))
    #expect(TSAudioRecordStopReason.allCases.map { "\($0)" } == names)
    let reasons: [StopReason] = [
      .unknown, .userInitiated, .maxDurationReached, .deviceError, .storageFull, .disconnected, .interrupted,
    ]
    #expect(reasons.map { TSAudioRecordStopReason($0) } == TSAudioRecordStopReason.allCases)
    #expect(TSAudioRecordStopReason(StopReason(rawValue: 77, name: "other")) == .unknown)
    #expect(TSAudioRecordStopReason(StopReason(rawValue: -7, name: "other")) == .unknown)
  }

  @Test("§4: The raw values of the result types are 0 to 3")
  func resultTypes() {
    #expect(TSAIAudioRecordSessionResultType.allCases.map(\.rawValue) == Array(0...3))
    #expect(TSAIAudioRecordSessionResultType.allCases == [.transcript, .event, .error, .finish])
  }

  @Test("§2: Every state of the core has one of TSAIKit's, and a pause is part of a recording")
  func states() {
    #expect(TSAIAudioRecordState.allCases == [.unknown, .idle, .starting, .recording, .stopping, .interrupted])
    #expect(TSAIAudioRecordState.allCases.map(\.rawValue) == Array(-1...4))
    #expect(
      RecordingMachine.State.allCases.map { TSAIAudioRecordState($0) }
        == [.unknown, .idle, .starting, .recording, .recording, .stopping, .interrupted])
  }

  @Test("§8: Interruptions are low battery 1, incoming call 2, other 255, unknown -1")
  func interruptions() {
    #expect(TSAIAudioRecordInterruptReason.allCases.map(\.rawValue) == [-1, 1, 2, 255])
    #expect(TSAIAudioRecordInterruptReason.allCases == [.unknown, .lowBattery, .incomingCall, .other])
    #expect(TSAIAudioRecordInterruptReason(.lowBattery) == .lowBattery)
    #expect(TSAIAudioRecordInterruptReason(.incomingCall) == .incomingCall)
    #expect(TSAIAudioRecordInterruptReason(.other) == .other)
    #expect(TSAIAudioRecordInterruptReason(InterruptionReason(rawValue: 9, name: "new")) == .unknown)
  }

  @Test("§6: The features are the bits 9, 10 and 11")
  func features() {
    #expect(TSAIFeature.aiAudioRecording.rawValue == 1 << 9 && TSAIFeature.callAudioRecording.rawValue == 1 << 10)
    #expect(TSAIFeature.normalAudioRecording.rawValue == 1 << 11)
    #expect(TSAIFeature.callAudioRecording.features == .callAudioRecording)
    #expect(TSAIFeature(rawValue: .max).features.rawValue == -1)
  }

  @Test("§3: Every language is a well-formed tag, once; unknown has none, and auto is none")
  func languages() {
    let named = TSAILanguage.allCases.filter { $0 != .unknown && $0 != .auto }
    #expect(named.allSatisfy { $0.languageCode.flatMap { LanguageTag($0)?.description } == $0.languageCode })
    #expect(Set(named.compactMap(\.languageCode)).count == named.count)
    #expect(TSAILanguage.unknown.languageCode == nil)
    #expect(TSAILanguage.auto.languageCode.flatMap { LanguageTag($0) } == nil && TSAILanguage.auto.languageCode != nil)
    #expect(TSAILanguage.englishUS.languageCode == "en-US")
  }

  @Test("§3: The default configuration is on site, not offline, without diarization, with the program's language")
  func defaults() {
    let config = TSAIAudioRecordConfig.default()
    #expect(config.recordingScene == .onSite && config.language == .unknown && config.audioRouteConfiguration == nil)
    #expect(!config.allowRecordingWhileOffline && !config.enableSpeakerDiarization)
    config.enableSpeakerDiarization = true
    #expect(!TSAIAudioRecordConfig.default().enableSpeakerDiarization, "each is one of its own")
  }

  @Test("§3: What stands in a configuration is what the core is asked for")
  func configuration() throws {
    let consent = try #require(ConsentRecordSample.record)
    let config = TSAIAudioRecordConfig.default()
    config.recordingScene = .call
    config.language = .german
    config.allowRecordingWhileOffline = true
    config.enableSpeakerDiarization = true
    config.audioRouteConfiguration = TSAIAudioRouteConfiguration(inputName: "desk", output: .local)
    let expected = SessionConfiguration(
      consent: consent, scene: .call, language: "de-DE", allowsRecordingWhileOffline: true,
      wantsSpeakerDiarization: true, route: AudioRoute(input: "desk", output: "local"))
    let made = try RecordConfigValues(config).configuration(consent)
    #expect(made == expected)
    #expect(TSAIAudioRouteConfiguration().route == AudioRoute())
  }

  @Test("§6: TSAIKit's codes are 1001 and 1003 to 1014")
  func codes() {
    #expect(TSAIErrorCode.allCases.map(\.rawValue) == [1001] + Array(1003...1014))
    let names = [
      "invalidParameter", "contextInactive", "providerUnavailable", "bridgeUnavailable", "activationSuperseded", "busy",
      "cancelled", "authorizationRequired", "taskFailed", "contentRejected", "timeout", "networkUnavailable",
      "invalidResponse",
    ]
    #expect(TSAIErrorCode.allCases.map { "\($0)" } == names)
  }

  @Test("§6: Every kind of error has its code", arguments: RecognitionError.Kind.all)
  func kinds(kind: RecognitionError.Kind) throws {
    let code = try #require(TSAIErrorCode.codes[kind])
    let error = NSError(tsai: SessionFailure(RecognitionError(kind, "do this")))
    #expect(error.domain == TSAIErrorDomain && error.code == code.rawValue && error.localizedDescription == "do this")
    #expect(error.userInfo[TSAIErrorKey.failureCode] as? String == kind.name)
    #expect(error.userInfo[TSAIErrorKey.failureDomain] as? String == "auricle.recognition")
  }

  @Test(
    "§6: Errors from elsewhere have a code, too",
    arguments: [
      ("auricle.audio", "deviceLost", 1005), ("auricle.audio", "notPermitted", 1009),
      ("auricle.audio", "timedOut", 1012),
      ("auricle.audio", "readFailed", 1010), ("auricle.recording", "storageFull", 1010), ("elsewhere", "odd", 1010),
      ("auricle.recognition", "newerThanThis", 1010), ("auricle.recognition", "consentMissing", 1009),
      ("auricle.device", "busy", 1007), ("auricle.device", "disconnected", 1005),
      ("auricle.device", "requestExpired", 1006), ("auricle.device", "notHappened", 1003),
    ])
  func otherErrors(domain: String, code: String, expected: Int) {
    #expect(NSError(tsai: SessionFailure(domain: domain, code: code, message: "m")).code == expected)
  }
}
