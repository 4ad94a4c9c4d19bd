import AuricleRecognition
import Testing

@Suite("The kinds of errors")
struct RecognitionErrorTests {
  /// What was once published and never changes.
  private static let codes: [(Int, String)] = [
    (1, "notConfigured"), (2, "invalidModel"), (3, "languageUnsupported"), (4, "invalidParameter"), (5, "failed"),
    (6, "cancelled"), (7, "notSupported"), (8, "authenticationFailed"), (9, "quotaExceeded"), (10, "notAuthenticated"),
    (11, "busy"), (12, "microphoneDenied"), (13, "microphoneUsageTextMissing"), (14, "languageEmpty"),
    (15, "deviceLost"), (16, "connectionLost"), (17, "pingTimeout"), (18, "network"), (19, "offline"),
    (20, "contextInactive"), (21, "timedOut"), (22, "contentRejected"), (23, "authenticationModeMismatch"),
    (24, "serviceMissing"), (25, "consentMissing"), (26, "invalidResponse"),
  ]

  @Test("§6: Codes and names are stable")
  func stable() {
    #expect(RecognitionError.Kind.all.map(\.code) == Self.codes.map(\.0))
    #expect(RecognitionError.Kind.all.map(\.name) == Self.codes.map(\.1))
  }

  @Test("§6: No code and no name is there twice")
  func unique() {
    let all = RecognitionError.Kind.all
    #expect(Set(all.map(\.code)).count == all.count && Set(all.map(\.name)).count == all.count)
  }

  @Test("§6: What may pass is tried again, what a person can mend is asked for")
  func advice() {
    let retried = RecognitionError.Kind.all.filter { $0.advice == .retry }
    #expect(retried == [.busy, .connectionLost, .pingTimeout, .network, .offline, .timedOut])
    let given = RecognitionError.Kind.all.filter { $0.advice == .giveUp }
    #expect(given == [.cancelled, .microphoneUsageTextMissing, .contentRejected])
    let rebuilt = RecognitionError.Kind.all.filter { $0.advice == .rebuild }
    #expect(rebuilt == [.failed, .deviceLost, .invalidResponse])
  }

  @Test("§5: Events 0 to 15 are AIBuds' in their order, ours are above 100")
  func events() {
    let names = [
      "userInitiatedToStart", "sessionStarted", "sessionStartFailed", "aiServiceConnected", "autoEndSessionTriggered",
      "userInitiatedToEndSession", "sessionEnded", "aiServiceUnauthorized", "aiServiceDisconnected",
      "aiServiceNetworkError", "aiServiceStartRecording", "aiServiceEndRecording", "aiServiceRecordingError",
      "aiServiceResponseError", "bleDisconnected", "appWillTerminate",
    ]
    let all = SessionEvent.Kind.all
    #expect(all.prefix(16).map(\.rawValue) == Array(0...15) && all.prefix(16).map(\.name) == names)
    #expect(all.dropFirst(16).allSatisfy { $0.rawValue > 100 })
    #expect(Set(all.map(\.rawValue)).count == all.count && Set(all.map(\.name)).count == all.count)
  }
}
