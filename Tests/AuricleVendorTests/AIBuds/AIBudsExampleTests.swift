import AuricleAIBuds
import AuricleCallbacks
import AuricleConsent
import AuricleSession
import AuricleTestKit
import Foundation
import Testing

/// A device that starts or fails, as a test says.
private final class Earbuds: DeviceAudioRecordingAPI {
  let error: NSError?
  let lines: Lines
  init(error: NSError?, lines: Lines) {
    self.error = error
    self.lines = lines
  }

  func getNormalAudioRecordingMaximumDuration(_ completion: @escaping (Int, (any Error)?) -> Void) {
    completion(1, nil)
  }
  func setNormalAudioRecordingMaximumDuration(_ minutes: Int, completion: @escaping (Bool, (any Error)?) -> Void) {}
  func requestStartNormalAudioRecording(_ completion: @escaping (Bool, (any Error)?) -> Void) {}
  func requestStopNormalAudioRecording(_ completion: @escaping (Bool, (any Error)?) -> Void) {}

  func startAIAudioRecording(_ scene: RecordingScene, completion: @escaping (Bool, (any Error)?) -> Void) {
    lines.add("device started \(scene)")
    completion(error == nil, error)
  }

  func stopAIAudioRecording(_ scene: RecordingScene, completion: @escaping (Bool, (any Error)?) -> Void) {
    lines.add("device stopped \(scene)")
    completion(true, nil)
  }
}

/// The program of the page: its Swift example unchanged, in a function that defines what it uses.
@MainActor
private final class Program {
  var currentSession: (any AIAudioRecordingSessionConvertible)?
  var device: Any?
  let lines: Lines

  init(device: Any?, lines: Lines) {
    self.device = device
    self.lines = lines
  }

  func run() {
    var currentSession: (any AIAudioRecordingSessionConvertible)? {
      get { self.currentSession }
      set { self.currentSession = newValue }
    }
    let device = device
    // The example prints; the test reads.
    func print(_ item: Any) { lines.add("\(item)") }

    // From here on as it stands on the page.
    // swift-format-ignore
    let config = AIAudioRecordingSessionConfig(
        recordingScene: .onSite,
        allowRecordingWhileOffline: true,
        enableSpeakerDiarization: true,
        languageForSpeechInput: "en-US"
    )

    // swift-format-ignore
    AIBudsAISDK.startAIAudioRecording(
        config,
        onStartSuccess: { session in
            currentSession = session

            guard let recordingDevice = device as? DeviceAudioRecordingAPI else {
                AIBudsAISDK.stopAIAudioRecording()
                return
            }

            recordingDevice.startAIAudioRecording(.onSite) { success, error in
                if !success {
                    print(error?.localizedDescription ?? "Device recording failed")
                    AIBudsAISDK.stopAIAudioRecording()
                }
            }
        },
        onStartFailure: { error in
            print("Session start failed: \(error)")
        },
        onTranscript: { transcript in
            print(transcript.transcript ?? "")
        },
        onEvent: { event in
            print(event)
        },
        onError: { error in
            print(error.localizedDescription)
        },
        onFinish: { report in
            currentSession = nil
            print(report)
        }
    )
  }
}

/// The examples of the AIBuds page. They run on what is process-wide, so one after the other.
@MainActor
@Suite("The examples of the AIBuds page", .serialized, .timeLimit(.minutes(5)))
final class AIBudsExampleTests {
  private let stage: Stage
  private let lines = Lines()

  init() throws {
    stage = try Stage()
    AIBudsAISDK.environment = stage.environment
    AIBudsAISDK.consentProvider = { ConsentRecordSample.record }
  }

  @Test("§10: The Swift example runs, to its report")
  func swiftExample() async {
    let earbuds = Earbuds(error: nil, lines: lines)
    let program = Program(device: earbuds, lines: lines)
    program.run()
    #expect(await lines.wait(for: "Ask what you."))
    #expect(program.currentSession != nil)
    // To stop: the device first, then the session is let go, then the service.
    earbuds.stopAIAudioRecording(.onSite) { success, _ in #expect(success) }
    program.currentSession = nil
    AIBudsAISDK.stopAIAudioRecording()
    #expect(await lines.wait(for: "AIAudioRecordingReportModel("))
    let all = lines.all
    #expect(all.last?.hasPrefix("AIAudioRecordingReportModel(") == true, "\(all)")
    #expect(all.contains("device started onSite") && all.contains("Ask not what."))
    #expect(!all.contains { $0.hasPrefix("Session start failed") })
    let events = all.filter { $0.hasPrefix("AIAudioRecordingEventModel(") }
    #expect(events.first == "AIAudioRecordingEventModel(userInitiatedToStart(0))")
    #expect(events.contains("AIAudioRecordingEventModel(sessionStarted(1))"))
    #expect(events.last == "AIAudioRecordingEventModel(sessionEnded(6))", "\(events)")
  }

  @Test("§8: A device that does not start stops the service")
  func deviceFailure() async {
    let error = NSError(domain: "buds", code: 1, userInfo: [NSLocalizedDescriptionKey: "put them in your ears"])
    let program = Program(device: Earbuds(error: error, lines: lines), lines: lines)
    program.run()
    #expect(await lines.wait(for: "AIAudioRecordingReportModel("))
    #expect(lines.all.contains("put them in your ears") && program.currentSession == nil)
  }

  @Test("§10: Something that is no device stops the service")
  func noDevice() async {
    let program = Program(device: "no device", lines: lines)
    program.run()
    #expect(await lines.wait(for: "AIAudioRecordingReportModel("))
    #expect(program.currentSession == nil)
  }

  /// The Objective-C example of the page, call by call; its names in Swift are those of the Swift example.
  @Test("§10: The Objective-C example, carried over")
  func objectiveC() async {
    let device: Any = Earbuds(error: nil, lines: lines)
    var currentSession: (any AIAudioRecordingSessionConvertible)?
    func NSLog(_ line: String) { lines.add(line) }
    let config = AIAudioRecordingSessionConfig(
      recordingScene: .onSite, allowRecordingWhileOffline: true, enableSpeakerDiarization: true,
      languageForSpeechInput: "en-US")
    AIBudsAISDK.startAIAudioRecording(
      config,
      onStartSuccess: { session in
        currentSession = session
        guard let recordingDevice = device as? any DeviceAudioRecordingAPI else {
          AIBudsAISDK.stopAIAudioRecording()
          return
        }
        recordingDevice.startAIAudioRecording(.onSite) { success, error in
          if !success {
            NSLog(error?.localizedDescription ?? "Device recording failed")
            AIBudsAISDK.stopAIAudioRecording()
          }
        }
      },
      onStartFailure: { error in NSLog("Session start failed: \(error)") },
      onTranscript: { transcript in NSLog(transcript.transcript ?? "") },
      onEvent: { event in NSLog("\(event)") },
      onError: { error in NSLog(error.localizedDescription) },
      onFinish: { report in
        currentSession = nil
        NSLog("\(report)")
      })
    #expect(await lines.wait(for: "Ask what you."))
    #expect(currentSession?.config.languageForSpeechInput == "en-US")
    AIBudsAISDK.stopAIAudioRecording()
    #expect(await lines.wait(for: "AIAudioRecordingReportModel("))
    #expect(currentSession == nil)
  }

  @Test("§10: The declaration's defaults: everything may be left out")
  func defaults() async {
    AIBudsAISDK.startAIAudioRecording()
    AIBudsAISDK.startAIAudioRecording(onFinish: { _ in self.lines.add("never") })
    for _ in 0..<2_000 where stage.openCount == 0 { try? await Task.sleep(for: .milliseconds(5)) }
    #expect(stage.openCount == 1)
    AIBudsAISDK.stopAIAudioRecording()
    // The next one starts when the report of this one is there.
    var isStarted = false
    for _ in 0..<2_000 where !isStarted {
      isStarted = await startsWithReport()
      if !isStarted { try? await Task.sleep(for: .milliseconds(5)) }
    }
    AIBudsAISDK.stopAIAudioRecording()
    #expect(await lines.wait(for: "finished"))
    #expect(lines.all == ["finished"])
  }

  private func startsWithReport() async -> Bool {
    await withCheckedContinuation { continuation in
      AIBudsAISDK.startAIAudioRecording(
        onStartSuccess: { _ in continuation.resume(returning: true) },
        onStartFailure: { _ in continuation.resume(returning: false) },
        onFinish: { [lines] _ in lines.add("finished") })
    }
  }

  @Test("§10: Callbacks come on the main queue by default")
  func mainQueue() async {
    let note: (String) -> Void = { [lines] line in
      dispatchPrecondition(condition: .onQueue(.main))
      lines.add(line)
    }
    AIBudsAISDK.startAIAudioRecording(
      onStartSuccess: { _ in note("success") }, onStartFailure: { _ in note("failure") },
      onTranscript: { note("words \($0.transcript ?? "")") }, onEvent: { _ in note("event") },
      onFinish: { _ in note("finish") })
    #expect(await lines.wait(for: "words Ask what you."))
    AIBudsAISDK.startAIAudioRecording(onStartFailure: { _ in note("busy") })
    #expect(await lines.wait(for: "busy"))
    AIBudsAISDK.stopAIAudioRecording()
    #expect(await lines.wait(for: "finish"))
    #expect(lines.all.contains("success") && lines.all.contains("event"))
  }

  @Test("§10: Without a consent provider, or a yes, a start fails and nothing is opened", arguments: [true, false])
  func noConsent(hasProvider: Bool) async {
    let nobody: ConsentQuestion = { nil }
    AIBudsAISDK.consentProvider = hasProvider ? nobody : nil
    AIBudsAISDK.startAIAudioRecording(
      onStartSuccess: { _ in self.lines.add("success") },
      onStartFailure: { error in
        let error = error as NSError
        self.lines.add("failure \(error.domain) \(error.code) \(error.userInfo[AIBudsErrorKey.failureCode] ?? "")")
      }, onEvent: { self.lines.add($0.eventType.name) }, onFinish: { _ in self.lines.add("finish") })
    #expect(await lines.wait(for: "failure"))
    #expect(
      lines.all == [
        "userInitiatedToStart", "sessionStartFailed", "failure AIBudsSDKErrorDomain -1 consentMissing",
      ])
    #expect(stage.openCount == 0 && stage.fileCount == 0)
  }

  @Test("§6: Providers are registered, selected and taken away; the order is the priority")
  func providers() throws {
    #expect(AIBudsAISDK.selectedProvider == "scripted")
    try AIBudsAISDK.registerProvider(ScriptedProvider([], vendor: "other"), version: "2")
    #expect(AIBudsAISDK.selectedProvider == "scripted")
    try AIBudsAISDK.selectProvider("other")
    #expect(AIBudsAISDK.selectedProvider == "other")
    try AIBudsAISDK.unregisterProvider("other")
    #expect(AIBudsAISDK.selectedProvider == "scripted")
    var error: NSError?
    do { try AIBudsAISDK.selectProvider("nobody") } catch let thrown { error = thrown as NSError }
    #expect(error?.domain == AIBudsSDKErrorDomain && error?.code == AIBudsSDKErrorCode.vendorNotConfigured.rawValue)
    AIBudsAISDK.environment = nil
    do { try AIBudsAISDK.selectProvider("scripted") } catch let thrown { error = thrown as NSError }
    #expect(error?.code == AIBudsSDKErrorCode.vendorNotConfigured.rawValue && AIBudsAISDK.selectedProvider == nil)
  }
}
