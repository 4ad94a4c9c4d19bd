import AuricleCallbacks
import AuricleConsent
import AuricleRecognition
import AuricleSession
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleAIBuds

/// A service of its own on a stage, and what its callbacks said.
struct AIBudsBench: Sendable {
  let host: CallbackHost
  let service: AudioRecordingService
  let lines = Lines()
  let words = Guarded<[StreamSpeechASRModel]>([])
  let events = Guarded<[AIAudioRecordingEventModel]>([])
  let report = Guarded<AIAudioRecordingReportModel?>(nil)

  init(_ environment: SessionEnvironment) {
    host = .ready(environment: environment)
    service = AudioRecordingService(host: host)
  }

  /// Starts with everything written down.
  func start(
    _ config: AIAudioRecordingSessionConfig = .default, onCall: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let note: @Sendable (String) -> Void = { [lines] line in
      lines.add(line)
      onCall(line)
    }
    var callbacks = RecordingCallbacks()
    callbacks.startSuccess = HostCallback { note("started \($0.requestId.isEmpty)") }
    callbacks.startFailure = HostCallback { note("failed \(($0 as NSError).domain) \(($0 as NSError).code)") }
    callbacks.transcript = HostCallback { [words] model in
      words.withLock { $0.append(model) }
      note("transcript \(model.transcript ?? "")")
    }
    callbacks.event = HostCallback { [events] model in
      events.withLock { $0.append(model) }
      note("event \(model.eventType)")
    }
    callbacks.error = HostCallback { note("error \($0.code)") }
    callbacks.finish = HostCallback { [report] model in
      report.withLock { $0 = model }
      note("finish")
    }
    service.start(config, callbacks)
  }
}

@Suite("Recording through AIBuds' interface", .timeLimit(.minutes(5)))
struct AIBudsRecordingTests {
  @Test("§10: The report has what its names say")
  func report() async throws {
    let stage = try Stage()
    let bench = AIBudsBench(stage.environment)
    bench.start(AIAudioRecordingSessionConfig(recordingScene: .call, languageForSpeechInput: "en-US"))
    #expect(await bench.lines.wait(for: "transcript Ask what you."))
    bench.service.stop()
    #expect(await bench.lines.wait(for: "finish"))
    let report = try #require(bench.report.withLock { $0 })
    #expect(report.serviceVendor == "scripted" && report.recordingScene == .call)
    #expect(report.languageForSpeechInput == "en-US" && report.sessionDuration == 3)
    #expect(report.sessionStartTime <= report.sessionEndTime)
    #expect(!report.isStoppedByInterruption && !report.isOfflineRecording && !report.hadNetworkDisconnection)
    #expect(report.transcripts.map(\.transcript) == ["Ask not what.", "Ask what you."])
    #expect(report.transcripts.map(\.stablePrefix) == ["Ask not what.", "Ask what you."])
    #expect(report.rawAudioFilePath?.hasSuffix("audio.wav") == true && report.rawAudioFileFormat == "wav")
    #expect(report.rawAudioFileSampleRate == 16_000 && report.rawAudioFileChannelCount == 1)
    let events = bench.events.withLock { $0.map { $0 } }
    #expect(report.sessionEvents.map(\.eventType) == events.map(\.eventType))
    #expect(events.allSatisfy { $0.timestamp != nil && $0.timeSinceSessionStart >= 0 })
    let words = bench.words.withLock { $0.map { $0 } }
    #expect(words.allSatisfy { $0.requestId == report.requestId && $0.languageCode == "en" })
    #expect(!"\(report) \(words)".contains("Ask"), "what was said stands in no log")
  }

  @Test("§1: A success first, the report once and last, and a repeated stop does nothing")
  func order() async throws {
    let bench = AIBudsBench(try Stage().environment)
    bench.service.stop()
    bench.start()
    #expect(await bench.lines.wait(for: "transcript Ask what you."))
    for _ in 0..<3 { bench.service.stop() }
    #expect(await bench.lines.wait(for: "finish"))
    await bench.host.lane.call {}
    #expect(bench.lines.all.first == "started false" && bench.lines.all.last == "finish")
    #expect(bench.lines.all.count { $0 == "finish" } == 1)
  }

  @Test("§1: Stopped within onTranscript, started within onFinish: neither blocks")
  func reentrant() async throws {
    let stage = try Stage()
    let bench = AIBudsBench(stage.environment)
    bench.start { line in
      if line == "transcript Ask not what." { bench.service.stop() }
      if line == "finish" { bench.start() }
    }
    #expect(await bench.lines.wait(for: "started", count: 2))
    bench.service.stop()
    #expect(await bench.lines.wait(for: "finish", count: 2))
    #expect(stage.openCount == 2)
  }

  @Test(
    "§6: A start that cannot be fails with its domain and code, and nothing is opened",
    arguments: [
      ("auto", "failed AIBudsSDKErrorDomain 1003"), ("language", "failed AIBudsSDKErrorDomain 1003"),
      ("vendor", "failed AIBudsSDKErrorDomain 1001"), ("call", "failed AIBudsSDKErrorDomain 1003"),
      ("empty", "failed AIBudsProviderErrorDomain 7001"),
    ])
  func refused(what: String, expected: String) async throws {
    let stage = try Stage(features: .aiAudioRecording)
    let bench = AIBudsBench(stage.environment)
    let config =
      switch what {
      case "auto": AIAudioRecordingSessionConfig(languageForSpeechInput: "auto")
      case "language": AIAudioRecordingSessionConfig(languageForSpeechInput: "de")
      case "empty": AIAudioRecordingSessionConfig(languageForSpeechInput: "")
      case "call": AIAudioRecordingSessionConfig(recordingScene: .call)
      default: AIAudioRecordingSessionConfig.default
      }
    if what == "vendor" { stage.registry.unregister("scripted") }
    bench.start(config)
    #expect(await bench.lines.wait(for: "failed"))
    #expect(bench.lines.all == ["event userInitiatedToStart", "event sessionStartFailed", expected])
    #expect(stage.openCount == 0 && stage.fileCount == 0)
  }

  @Test("§1: A runtime error comes after the success, and the session goes on to its report")
  func runtimeError() async throws {
    let error = RecognitionError(.contentRejected, "say something else")
    let script = [ScriptStep(.frame(8_000), .deliver(.error(error)))] + Stage.speech
    let bench = AIBudsBench(try Stage(script: script, isEndless: false).environment)
    bench.start()
    #expect(await bench.lines.wait(for: "finish"))
    let lines = bench.lines.all
    #expect(lines.first == "started false" && lines.contains("error -1") && lines.last == "finish", "\(lines)")
  }

  @Test("§8: Service first, then the device; the device stops first, then the service; one report")
  func device() async throws {
    let stage = try Stage()
    let device = ScriptedDevice()
    var environment = stage.environment
    let bench = AIBudsBench(environment)
    let buds = AIBudsRecordingDevice(device, service: bench.service)
    environment.openInput = { route, gate in try await buds.openInput(route, gate) }
    bench.host.environment = environment
    bench.start()
    #expect(await bench.lines.wait(for: "started"))
    #expect(device.calls == [])
    buds.startAIAudioRecording(.onSite) { [lines = bench.lines] success, _ in lines.add("device \(success)") }
    #expect(await bench.lines.wait(for: "device true"))
    device.hear(48_000)
    #expect(await bench.lines.wait(for: "transcript Ask what you."))
    buds.stopAIAudioRecording(.onSite) { [lines = bench.lines] success, _ in lines.add("device stopped \(success)") }
    #expect(await bench.lines.wait(for: "device stopped true"))
    bench.service.stop()
    #expect(await bench.lines.wait(for: "finish"))
    #expect(bench.lines.all.count { $0 == "finish" } == 1)
    #expect(bench.report.withLock { $0?.transcripts.count } == 2)
    #expect(device.calls == [.start(.onSite), .stop(.onSite)])
  }

  @Test("§8: What cuts the device off, cuts the session off")
  func interruption() async throws {
    let device = ScriptedDevice()
    var environment = try Stage().environment
    let bench = AIBudsBench(environment)
    let buds = AIBudsRecordingDevice(device, service: bench.service)
    environment.openInput = { route, gate in try await buds.openInput(route, gate) }
    bench.host.environment = environment
    bench.start()
    #expect(await bench.lines.wait(for: "started"))
    buds.startAIAudioRecording(.onSite) { [lines = bench.lines] success, _ in lines.add("device \(success)") }
    #expect(await bench.lines.wait(for: "device true"))
    device.goAway()
    #expect(await bench.lines.wait(for: "event bleDisconnected"))
    device.comeBack()
    device.interrupt(.lowBattery)
    #expect(await bench.lines.wait(for: "finish"))
    #expect(bench.report.withLock { $0?.isStoppedByInterruption } == true)
  }

  @Test("§8: The device's maximum and its own recordings, with their errors in AIBuds' numbers")
  func deviceCalls() async throws {
    let device = ScriptedDevice()
    let bench = AIBudsBench(try Stage().environment)
    let buds = AIBudsRecordingDevice(device, service: bench.service)
    let lines = bench.lines
    buds.setNormalAudioRecordingMaximumDuration(0) { success, error in
      lines.add("0: \(success) \((error as NSError?)?.domain ?? "")")
    }
    #expect(await lines.wait(for: "0: false AIBudsSDKErrorDomain"))
    buds.setNormalAudioRecordingMaximumDuration(5) { success, _ in lines.add("5: \(success)") }
    #expect(await lines.wait(for: "5: true"))
    buds.getNormalAudioRecordingMaximumDuration { minutes, _ in lines.add("is \(minutes)") }
    #expect(await lines.wait(for: "is 5"))
    buds.requestStartNormalAudioRecording { success, _ in lines.add("start \(success)") }
    #expect(await lines.wait(for: "start true"))
    #expect(device.isRecording)
    buds.requestStopNormalAudioRecording { success, _ in lines.add("stop \(success)") }
    #expect(await lines.wait(for: "stop true"))
    device.goAway()
    buds.startAIAudioRecording(.call) { success, error in lines.add("away \(success) \((error as NSError?)?.code ?? 0)")
    }
    #expect(await lines.wait(for: "away false 7002"))
  }
}
