import AuricleRecognition
import AuricleSession
import Foundation
import Testing

@testable import AuricleAIBuds

@Suite("AIBuds' names and numbers")
struct AIBudsValueTests {
  @Test("§10: The raw values of the scenes are 0 and 1")
  func scenes() {
    #expect(RecordingScene.onSite.rawValue == 0 && RecordingScene.call.rawValue == 1)
    #expect(RecordingScene.allCases.count == 2)
    #expect(RecordingScene.onSite.scene == .onSite && RecordingScene.call.scene == .call)
    #expect(RecordingScene(.call) == .call && RecordingScene(.onSite) == .onSite)
  }

  @Test("§5: The events are the core's, number by number, with identifier, name and debug name")
  func events() {
    let types = AIAudioRecordingEventType.allCases.filter { $0 != .unknown }
    #expect(types.map(\.rawValue) == SessionEvent.Kind.all.map(\.rawValue).sorted())
    for kind in SessionEvent.Kind.all {
      let type = AIAudioRecordingEventType(number: kind.rawValue)
      #expect(type.name == kind.name && "\(type)" == kind.name)
      #expect(type.debugName == "\(kind.name)(\(kind.rawValue))")
    }
    #expect(Set(types.map(\.eventId)).count == types.count)
    #expect(AIAudioRecordingEventType.aiServiceNetworkError.eventId == "ai_service_network_error")
    #expect(AIAudioRecordingEventType.bleDisconnected.eventId == "ble_disconnected")
    #expect(AIAudioRecordingEventType(number: 4_711) == .unknown && AIAudioRecordingEventType.unknown.name == "unknown")
  }

  @Test("§5: The raw values 0 to 15 are AIBuds', name by name")
  func eventNumbers() {
    let names = [
      "userInitiatedToStart", "sessionStarted", "sessionStartFailed", "aiServiceConnected", "autoEndSessionTriggered",
      "userInitiatedToEndSession", "sessionEnded", "aiServiceUnauthorized", "aiServiceDisconnected",
      "aiServiceNetworkError", "aiServiceStartRecording", "aiServiceEndRecording", "aiServiceRecordingError",
      "aiServiceResponseError", "bleDisconnected", "appWillTerminate",
    ]
    #expect((0...15).map { AIAudioRecordingEventType(rawValue: $0)?.name } == names)
  }

  @Test("§3: The default configuration is on site, not offline, without diarization, with the program's language")
  func defaults() throws {
    let config = AIAudioRecordingSessionConfig.default
    #expect(config.recordingScene == .onSite && config.languageForSpeechInput == nil)
    #expect(!config.allowRecordingWhileOffline && !config.enableSpeakerDiarization)
    let consent = try #require(ConsentRecordSample.record)
    #expect(config.configuration(consent) == SessionConfiguration(consent: consent))
  }

  @Test("§3: What stands in a configuration is what the core is asked for")
  func configuration() throws {
    let consent = try #require(ConsentRecordSample.record)
    let config = AIAudioRecordingSessionConfig(
      recordingScene: .call, allowRecordingWhileOffline: true, enableSpeakerDiarization: true,
      languageForSpeechInput: "en-US")
    let expected = SessionConfiguration(
      consent: consent, scene: .call, language: "en-US", allowsRecordingWhileOffline: true,
      wantsSpeakerDiarization: true)
    #expect(config.configuration(consent) == expected)
  }

  @Test("§6: The SDK's codes are -1 and 1001 to 1004, a provider's 1001 to 1006, 7001 to 7005 and 9999")
  func codes() {
    #expect(AIBudsSDKErrorCode.allCases.map(\.rawValue) == [-1] + Array(1001...1004))
    #expect(AIBudsProviderErrorCode.allCases.map(\.rawValue) == Array(1001...1006) + Array(7001...7005) + [9999])
  }

  @Test(
    "§6: A kind of error has its domain and code",
    arguments: [
      (RecognitionError.Kind.notConfigured, "AIBudsSDKErrorDomain", 1001),
      (.serviceMissing, "AIBudsSDKErrorDomain", 1002),
      (.notSupported, "AIBudsSDKErrorDomain", 1003), (.authenticationModeMismatch, "AIBudsSDKErrorDomain", 1004),
      (.authenticationFailed, "AIBudsProviderErrorDomain", 1001), (.quotaExceeded, "AIBudsProviderErrorDomain", 1002),
      (.notAuthenticated, "AIBudsProviderErrorDomain", 1003), (.busy, "AIBudsProviderErrorDomain", 1004),
      (.microphoneUsageTextMissing, "AIBudsProviderErrorDomain", 1005),
      (.microphoneDenied, "AIBudsProviderErrorDomain", 1006), (.languageEmpty, "AIBudsProviderErrorDomain", 7001),
      (.deviceLost, "AIBudsProviderErrorDomain", 7002), (.connectionLost, "AIBudsProviderErrorDomain", 7003),
      (.pingTimeout, "AIBudsProviderErrorDomain", 7004), (.network, "AIBudsProviderErrorDomain", 7005),
      (.offline, "AIBudsProviderErrorDomain", 9999), (.consentMissing, "AIBudsSDKErrorDomain", -1),
      (.failed, "AIBudsSDKErrorDomain", -1),
    ])
  func kinds(kind: RecognitionError.Kind, domain: String, code: Int) {
    let error = NSError(aiBuds: SessionFailure(RecognitionError(kind, "do this")))
    #expect(error.domain == domain && error.code == code && error.localizedDescription == "do this")
    #expect(error.userInfo[AIBudsErrorKey.failureCode] as? String == kind.name)
  }

  @Test(
    "§6: Errors from elsewhere have a code, too",
    arguments: [
      ("auricle.audio", "deviceLost", 7002), ("auricle.audio", "notPermitted", 1006), ("auricle.audio", "odd", -1),
      ("auricle.recording", "storageFull", -1), ("auricle.device", "disconnected", 7002),
      ("auricle.device", "busy", 1004),
    ])
  func otherErrors(domain: String, code: String, expected: Int) {
    #expect(NSError(aiBuds: SessionFailure(domain: domain, code: code, message: "m")).code == expected)
  }
}
