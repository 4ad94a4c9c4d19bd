import AuricleAudio
import AuricleCallbacks
import AuricleConsent
import AuricleRecognition
import AuricleSession
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleTSAI

/// A context of its own on a stage, and what its callbacks said.
struct TSAIBench: Sendable {
  let stage: Stage
  let host: CallbackHost
  let context: TSAIContext
  let lines = Lines()
  let results = Guarded<[TSAIAudioRecordSessionResult]>([])
  let data = Guarded(Data())

  init(_ stage: Stage, queue: DispatchQueue = DispatchQueue(label: "callbacks")) {
    self.stage = stage
    host = .ready(queue: queue, environment: stage.environment)
    context = TSAIContext(host: host)
  }

  var record: any TSAudioRecordInterface { context.audioRecord }

  /// Starts with everything written down.
  func start(_ config: TSAIAudioRecordConfig? = nil, onCall: @escaping @Sendable (String) -> Void = { _ in }) {
    let note: @Sendable (String) -> Void = { [lines] line in
      lines.add(line)
      onCall(line)
    }
    record.startAIAudioRecording(
      with: config,
      startCompletion: { success, error in note(success ? "started" : "failed \((error as NSError?)?.code ?? 0)") },
      didReceiveAudioData: { [data] bytes in data.withLock { $0.append(bytes) } },
      didReceiveSessionResult: { [results] result in
        results.withLock { $0.append(result) }
        note("\(result.type) \(result.eventName ?? result.text ?? "")")
      },
      finishHandler: { reason, error in note("ended \(reason) \((error as NSError?)?.code ?? 0)") })
  }

  func startNormal() {
    record.startNormalAudioRecording(
      { [lines] success, error in lines.add(success ? "started" : "failed \((error as NSError?)?.code ?? 0)") },
      finishHandler: { [lines] reason, error in lines.add("ended \(reason) \((error as NSError?)?.code ?? 0)") })
  }

  func stop() { record.stopAIAudioRecording { [lines] success, _ in lines.add("stopped \(success)") } }

  var finish: TSAIAudioRecordSessionResult? { results.withLock { $0.last { $0.type == .finish } } }
}

@Suite("Recording through TSAIKit's interface", .timeLimit(.minutes(5)))
struct TSAIRecordingTests {
  @Test("§1: Started, ended and finished exactly once each, and nothing behind the finish")
  func whole() async throws {
    let bench = TSAIBench(try Stage())
    bench.start()
    #expect(await bench.lines.wait(for: "transcript Ask what you."))
    bench.stop()
    #expect(await bench.lines.wait(for: "finish"))
    #expect(await bench.lines.wait(for: "stopped true"))
    await bench.host.lane.call {}
    let lines = bench.lines.all.filter { $0 != "stopped true" }
    #expect(lines.first == "started" && lines.last == "finish ", "\(lines)")
    #expect(lines.count { $0 == "started" } == 1 && lines.count { $0.hasPrefix("ended") } == 1)
    #expect(lines.count { $0.hasPrefix("finish") } == 1 && lines.contains("ended userInitiated 0"))
  }

  @Test("§4: Results have what their type says, and the finish has it all")
  func contents() async throws {
    let bench = TSAIBench(try Stage())
    bench.start()
    #expect(await bench.lines.wait(for: "transcript Ask what you."))
    bench.stop()
    #expect(await bench.lines.wait(for: "finish"))
    let results = bench.results.withLock { $0.map { $0 } }
    let finish = try #require(bench.finish)
    let requestId = finish.requestId
    #expect(results.allSatisfy { $0.requestId == requestId } && !requestId.isEmpty)
    let words = results.filter { $0.type == .transcript }
    #expect(words.map(\.sequence) == Array(words.map(\.sequence).sorted()))
    #expect(words.filter(\.isSentenceFinal).map(\.sentenceIndex) == [0, 1])
    #expect(words.allSatisfy { $0.languageCode == "en" && $0.error == nil && $0.eventType == -1 && $0.report == nil })
    #expect(finish.transcripts.map(\.text) == ["Ask not what.", "Ask what you."])
    #expect(finish.transcripts.allSatisfy { $0.isSentenceFinal && $0.type == .transcript })
    let told = results.filter { $0.type == .event }
    #expect(finish.sessionEvents.map(\.eventType) == told.map(\.eventType))
    #expect(told.first?.eventType == 0 && told.last?.eventName == "sessionEnded")
    #expect(told.allSatisfy { $0.timestamp != nil && $0.timeSinceSessionStart >= 0 })
    let path = try #require(finish.rawAudioFilePath)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(!finish.isStoppedByInterruption && !finish.isOfflineRecording && !finish.hadNetworkDisconnection)
    #expect("\(words.first?.description ?? "")".contains("Ask") == false, "what was said stands in no log")
  }

  @Test("§4: The audio is 16 kHz mono Int16 little-endian, in order, from the first sample on")
  func audioData() async throws {
    let bench = TSAIBench(try Stage(isEndless: false))
    bench.start()
    #expect(await bench.lines.wait(for: "finish"))
    let data = bench.data.withLock { $0 }
    let expected = (0..<48_000).flatMap { frame -> [UInt8] in
      let sample = Int16(frame % 1_000)
      return [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
    }
    #expect([UInt8](data) == expected)
  }

  @Test("§4: Who listens for voice data gets the same audio, until it does not listen any more")
  func voiceData() async throws {
    let bench = TSAIBench(try Stage(isEndless: false))
    let heard = Guarded(Data())
    bench.record.registerOnAIAudioRecordingVoiceDataReceived { data in heard.withLock { $0.append(data) } }
    bench.start()
    #expect(await bench.lines.wait(for: "finish"))
    #expect(heard.withLock { $0 } == bench.data.withLock { $0 } && heard.withLock { $0.count } == 96_000)
    bench.record.registerOnAIAudioRecordingVoiceDataReceived(nil)
    bench.start()
    #expect(await bench.lines.wait(for: "finish", count: 2))
    #expect(heard.withLock { $0.count } == 96_000)
  }

  @Test("§2: State listeners hear each state in order, until they do not listen any more")
  func states() async throws {
    let bench = TSAIBench(try Stage(isEndless: false))
    let states = Lines()
    bench.record.registerAIAudioRecordingStateDidChanged { states.add("\($0)") }
    bench.start()
    #expect(await bench.lines.wait(for: "finish"))
    #expect(states.all == ["starting", "recording", "stopping", "idle"])
    bench.record.registerAIAudioRecordingStateDidChanged(nil)
    bench.start()
    #expect(await bench.lines.wait(for: "finish", count: 2))
    #expect(states.all.count == 4)
  }

  @Test(
    "§3: What cannot be recorded is refused with its code, and nothing is opened",
    arguments: [
      ("auto", 1001), ("scene", 1001), ("output", 1001), ("unsupported language", 1001), ("no provider", 1004),
      ("call", 1004), ("no environment", 1003),
    ])
  func refused(what: String, code: Int) async throws {
    let bench = TSAIBench(try Stage(features: .aiAudioRecording))
    let config = TSAIAudioRecordConfig.default()
    switch what {
    case "auto": config.language = .auto
    case "scene": config.recordingScene = .unknown
    case "output": config.audioRouteConfiguration = TSAIAudioRouteConfiguration(output: .local)
    case "unsupported language": config.language = .german
    case "no provider": bench.stage.registry.unregister("scripted")
    case "call": config.recordingScene = .call
    default: bench.host.environment = nil
    }
    bench.start(config)
    #expect(await bench.lines.wait(for: "failed"))
    #expect(bench.lines.all == ["event userInitiatedToStart", "event sessionStartFailed", "failed \(code)"])
    let failed = bench.results.withLock { $0.last }
    #expect(failed?.error?.code == code)
    #expect(bench.stage.openCount == 0 && bench.stage.fileCount == 0)
  }

  @Test("§7: A maximum of 1 to 240 minutes is taken; anything else is refused and the old value stays")
  func maximum() async throws {
    let bench = TSAIBench(try Stage())
    let record = bench.record
    for (minutes, code) in [(0, 1001), (241, 1001), (UInt.max, 1001), (1, 0), (240, 0), (0, 1001)] as [(UInt, Int)] {
      let error = await withCheckedContinuation { continuation in
        record.setNormalAudioRecordingMaximumDuration(minutes) { success, error in
          continuation.resume(returning: success ? 0 : (error as NSError?)?.code ?? -1)
        }
      }
      #expect(error == code, "\(minutes)")
    }
    let minutes = await withCheckedContinuation { continuation in
      record.getNormalAudioRecordingMaximumDuration { minutes, _ in continuation.resume(returning: minutes) }
    }
    #expect(minutes == 240)
    record.getNormalAudioRecordingMaximumDuration(nil)
  }

  @Test("§7: Reaching the maximum ends the recording once, with a playable file of that length")
  func maximumReached() async throws {
    let chunks = (0..<62).map { Stage.block(at: Int64($0) * 16_000, count: 16_000) }
    let bench = TSAIBench(try Stage(chunks))
    bench.record.setNormalAudioRecordingMaximumDuration(1) { _, _ in }
    bench.startNormal()
    #expect(await bench.lines.wait(for: "ended"))
    await bench.host.lane.call {}
    #expect(bench.lines.all == ["started", "ended maxDurationReached 0"])
    let path = "\(bench.stage.path)/recording-1/audio.wav"
    let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    // A header, and the samples.
    #expect(size >= 60 * 32_000 && size < 60 * 32_000 + 1_024, "\(size)")
  }

  @Test("§7: The stop of one kind of recording does not end the other")
  func otherStop() async throws {
    let bench = TSAIBench(try Stage())
    bench.startNormal()
    #expect(await bench.lines.wait(for: "started"))
    bench.stop()
    #expect(await bench.lines.wait(for: "stopped true"))
    #expect(!bench.lines.all.contains { $0.hasPrefix("ended") })
    bench.record.stopNormalAudioRecording { [lines = bench.lines] success, _ in lines.add("stopped normal \(success)") }
    #expect(await bench.lines.wait(for: "ended userInitiated"))
    #expect(await bench.lines.wait(for: "stopped normal true"))
  }

  @Test("A second recording while one is under way is refused as busy")
  func busy() async throws {
    let bench = TSAIBench(try Stage())
    bench.start()
    bench.startNormal()
    #expect(await bench.lines.wait(for: "failed 1007"))
    #expect(await bench.lines.wait(for: "transcript Ask what you."))
    bench.stop()
    #expect(await bench.lines.wait(for: "finish"))
    #expect(bench.stage.openCount == 1)
  }

  @Test("§1: Stopped from a transcript and started from the finish: neither blocks")
  func reentrant() async throws {
    let bench = TSAIBench(try Stage())
    bench.start { line in
      if line == "transcript Ask not what." { bench.stop() }
      if line == "finish " { bench.start() }
    }
    #expect(await bench.lines.wait(for: "finish"))
    #expect(await bench.lines.wait(for: "started", count: 2))
    bench.stop()
    #expect(await bench.lines.wait(for: "finish", count: 2))
    #expect(bench.stage.openCount == 2)
  }

  @Test("§1: A callback that is slow holds up its own news and never the recording")
  func slow() async throws {
    let gate = DispatchSemaphore(value: 0)
    let bench = TSAIBench(try Stage(isEndless: false))
    bench.start { line in if line.hasPrefix("event sessionStarted") { gate.wait() } }
    #expect(await bench.lines.wait(for: "event sessionStarted"))
    // The whole recording is made and its report written while that callback does not come back.
    let report = "\(bench.stage.path)/recording-1/report.json"
    for _ in 0..<6_000 where !FileManager.default.fileExists(atPath: report) {
      try? await Task.sleep(for: .milliseconds(5))
    }
    #expect(FileManager.default.fileExists(atPath: report))
    #expect(bench.lines.all.last == "event sessionStarted")
    gate.signal()
    #expect(await bench.lines.wait(for: "finish"))
    #expect(bench.finish?.transcripts.count == 2)
    #expect(bench.lines.all.contains("transcript Ask not what.") && bench.data.withLock { $0.count } == 96_000)
  }

  @Test("§9: Consent that is taken back ends the recording")
  func withdrawn() async throws {
    let bench = TSAIBench(try Stage())
    bench.start()
    #expect(await bench.lines.wait(for: "transcript Ask what you."))
    bench.context.recorder.withdrawConsent()
    #expect(await bench.lines.wait(for: "finish"))
    #expect(bench.lines.all.contains("event consentWithdrawn"))
  }

  @Test("§5: A program that is about to end says so, and ends the recording")
  func termination() async throws {
    let bench = TSAIBench(try Stage())
    bench.start()
    #expect(await bench.lines.wait(for: "transcript Ask what you."))
    bench.context.recorder.applicationWillTerminate()
    #expect(await bench.lines.wait(for: "finish"))
    #expect(bench.lines.all.contains("event appWillTerminate"))
  }

  @Test("§6: Features are those of the environment's provider, and none without an environment")
  func features() throws {
    let bench = TSAIBench(try Stage(features: .aiAudioRecording))
    #expect(bench.context.isFeatureSupported(.aiAudioRecording))
    #expect(!bench.context.isFeatureSupported([.aiAudioRecording, .callAudioRecording]))
    bench.host.environment = nil
    #expect(!bench.context.isFeatureSupported(.normalAudioRecording))
  }

  @Test("§1: What the callbacks of a recording hold is let go after its finish")
  func leak() async throws {
    final class Screen: Sendable {}
    weak var weakScreen: Screen?
    let bench = TSAIBench(try Stage(isEndless: false))
    do {
      let screen = Screen()
      weakScreen = screen
      bench.record.startAIAudioRecording(
        with: nil, startCompletion: { _, _ in _ = screen }, didReceiveAudioData: { _ in _ = screen },
        didReceiveSessionResult: { [lines = bench.lines] result in
          _ = screen
          lines.add("\(result.type)")
        }, finishHandler: { _, _ in _ = screen })
    }
    #expect(await bench.lines.wait(for: "finish"))
    for _ in 0..<6_000 where weakScreen != nil { try? await Task.sleep(for: .milliseconds(5)) }
    #expect(weakScreen == nil && bench.context.recorder.caller.session == nil)
  }

  @Test("§8: Without a device there is nothing to report to")
  func noDevice() async throws {
    let bench = TSAIBench(try Stage())
    bench.record.reportAIAudioRecordingStartSuccess(with: .onSite) { [lines = bench.lines] success, error in
      lines.add("report \(success) \((error as NSError?)?.code ?? 0)")
    }
    bench.record.reportAIAudioRecordingStopped(completion: nil)
    #expect(await bench.lines.wait(for: "report false 1003"))
  }
}
