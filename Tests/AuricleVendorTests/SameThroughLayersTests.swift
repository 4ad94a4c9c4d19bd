import AuricleAudio
import AuricleCallbacks
import AuricleCapture
import AuricleConsent
import AuricleMedia
import AuricleRecognition
import AuricleSession
import AuricleSherpa
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleAIBuds
@testable import AuricleTSAI

/// What came of a recording, whoever told it.
private struct Outcome: Equatable {
  /// The final sentences, as they were told.
  var finals: [String] = []
  /// The events, as they were told.
  var events: [Int] = []
  /// The report as JSON, without what differs from one recording to the next: when and where it was made, how far the
  /// audio was when the recogniser was there, and how many unfinished texts were told before a final one, which depends on
  /// how busy the machine is.
  var report = ""

  init(finals: [String], events: [Int], report: RecordingReport) throws {
    self.finals = finals
    self.events = events
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report))
    let data = try JSONSerialization.data(
      withJSONObject: Self.timeless(object), options: [.sortedKeys, .prettyPrinted])
    self.report = String(decoding: data, as: UTF8.self)
  }

  private static let changing: Set<String> = [
    "startTime", "endTime", "rawAudioFilePath", "timestamp", "timeSinceSessionStart", "grantedAt",
    "sequence",
  ]

  private static let connecting: Set<String> = ["aiServiceConnected", "aiServiceStartRecording"]

  private static func timeless(_ object: Any) -> Any {
    if let list = object as? [Any] { return list.map(timeless) }
    guard let fields = object as? [String: Any] else { return object }
    let isConnecting = connecting.contains(fields["event"] as? String ?? "")
    return fields.filter { !changing.contains($0.key) && !(isConnecting && $0.key == "time") }.mapValues(timeless)
  }
}

/// Stops a recording when its last sentence was told and its last audio was taken, so that it is the same one each time.
private final class Cue: Sendable {
  private struct State {
    var isTold = false
    var isTaken = false
    var stop: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  func onBoth(_ stop: @escaping @Sendable () -> Void) { state.withLock { $0.stop = stop } }
  func told() { look { $0.isTold = true } }
  func taken() { look { $0.isTaken = true } }

  private func look(_ change: (inout State) -> Void) {
    let stop = state.withLock { state -> (@Sendable () -> Void)? in
      change(&state)
      guard state.isTold, state.isTaken else { return nil }
      defer { state.stop = nil }
      return state.stop
    }
    stop?()
  }
}

/// The recording is made three times: by the core, through TSAIKit's interface and through AIBuds'.
@Suite("One recording through the core and both layers", .serialized, .timeLimit(.minutes(10)))
struct SameThroughLayersTests {
  /// Where audio comes from: it plays faster than life and is quiet then, until the recording is stopped.
  private struct Setting: Sendable {
    let surroundings: SessionEnvironment
    let chunks: [AudioChunk]
    /// How many final sentences there will be before it is stopped.
    let sentenceCount: Int

    func environment(_ cue: Cue) -> SessionEnvironment {
      var environment = surroundings
      // How long the machine lets it be quiet before it is stopped differs from one recording to the next.
      environment.stall = nil
      environment.openInput = { [chunks] _, gate in
        let source = PlayedSource(chunks, isEndless: true, onPlayed: { cue.taken() })
        return SessionInput(recording: RecordingInput(source: GatedSource(source, gate: gate), end: { source.end() }))
      }
      return environment
    }
  }

  private func throughCore(_ setting: Setting) async throws -> Outcome {
    let consent = try #require(ConsentRecordSample.record)
    let cue = Cue()
    let session = RecordingSession(SessionConfiguration(consent: consent), environment: setting.environment(cue))
    cue.onBoth { session.stop() }
    try await session.start()
    var (finals, events): ([String], [Int]) = ([], [])
    var report: RecordingReport?
    for await delivery in session.results {
      switch delivery.result {
      case .transcript(let words) where words.isSentenceFinal:
        finals.append(words.text)
        if finals.count == setting.sentenceCount { cue.told() }
      case .event(let event): events.append(event.kind.rawValue)
      case .finish(let last): report = last
      case .transcript, .failure, .recording: break
      }
    }
    return try Outcome(finals: finals, events: events, report: try #require(report))
  }

  private func throughTSAI(_ setting: Setting) async throws -> Outcome {
    let cue = Cue()
    let context = TSAIContext(host: .ready(environment: setting.environment(cue)))
    cue.onBoth { context.audioRecord.stopAIAudioRecording { _, _ in } }
    let results = await withCheckedContinuation { continuation in
      let seen = Box<[TSAIAudioRecordSessionResult]>([])
      context.audioRecord.startAIAudioRecording(
        with: nil, startCompletion: { _, _ in }, didReceiveAudioData: { _ in },
        didReceiveSessionResult: { result in
          seen.value.append(result)
          let count = seen.value.count { $0.type == .transcript && $0.isSentenceFinal }
          if result.isSentenceFinal, count == setting.sentenceCount { cue.told() }
          if result.type == .finish { continuation.resume(returning: seen.value.map { $0 }) }
        }, finishHandler: nil)
    }
    let finish = try #require(results.last)
    let finals = results.filter(\.isSentenceFinal).compactMap(\.text)
    #expect(finish.transcripts.compactMap(\.text) == finals)
    return try Outcome(
      finals: finals, events: results.filter { $0.type == .event }.map(\.eventType), report: try #require(finish.report)
    )
  }

  private func throughAIBuds(_ setting: Setting) async throws -> Outcome {
    let cue = Cue()
    let bench = AIBudsBench(setting.environment(cue))
    cue.onBoth { bench.service.stop() }
    let finalCount = Guarded(0)
    bench.start { line in
      guard line.hasPrefix("transcript"), bench.words.withLock({ $0.last?.isSentenceFinal }) == true else { return }
      let count = finalCount.withLock { count in
        count += 1
        return count
      }
      if count == setting.sentenceCount { cue.told() }
    }
    for _ in 0..<60_000 where bench.report.withLock({ $0 }) == nil { try await Task.sleep(for: .milliseconds(5)) }
    let report = try #require(bench.report.withLock { $0 })
    let finals = bench.words.withLock { $0.filter(\.isSentenceFinal).compactMap(\.transcript) }
    #expect(report.transcripts.compactMap(\.transcript) == finals)
    return try Outcome(
      finals: finals, events: bench.events.withLock { $0.map(\.eventType.rawValue) }, report: report.report)
  }

  private func compare(_ setting: Setting) async throws -> Outcome {
    let core = try await throughCore(setting)
    let tsai = try await throughTSAI(setting)
    let aiBuds = try await throughAIBuds(setting)
    #expect(core.finals.count == setting.sentenceCount && core.events.count > 4)
    #expect(tsai.finals == core.finals && aiBuds.finals == core.finals)
    #expect(tsai.events == core.events && aiBuds.events == core.events)
    #expect(tsai.report == core.report && aiBuds.report == core.report)
    return core
  }

  @Test("§10: A scripted recogniser: the same sentences, events and report")
  func scripted() async throws {
    let stage = try Stage()
    let outcome = try await compare(
      Setting(surroundings: stage.environment, chunks: Stage.threeSeconds, sentenceCount: 2))
    #expect(outcome.finals == ["Ask not what.", "Ask what you."])
  }

  @Test(
    "§10: A real recording and the recogniser on this device: the same sentences, events and report",
    .enabled(if: Engine.isThere))
  func real() async throws {
    let stage = try Stage()
    let recogniser = try OnDeviceProvider(folder: ModelFolder(path: Engine.model), workerCount: 2)
    // Three seconds of the quietest noise that there is: zeros would be a muted microphone, which is told as soon as they
    // are captured, wherever the recogniser is then.
    let samples = try await Engine.samples() + (0..<48_000).map { $0 % 2 == 0 ? 1 / 32_768 : -1 / 32_768 }
    let chunks = stride(from: 0, to: samples.count, by: 1_600).map { start in
      AudioChunk.audio(
        PCMBlock(
          format: .speech, startFrame: Int64(start), samples: Array(samples[start..<min(start + 1_600, samples.count)]))
      )
    }
    var environment = stage.environment
    environment.registry = ProviderRegistry([ServiceProvider(recogniser, version: "test")])
    let outcome = try await compare(
      Setting(surroundings: environment, chunks: chunks, sentenceCount: Engine.sentenceCount))
    #expect(outcome.finals.joined(separator: " ").lowercased().contains("fail better"), "\(outcome.finals)")
  }
}

/// The engine, the model and the recording that `make setup` fetches; what is not there makes the test be skipped.
private enum Engine {
  static let deps =
    (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }.path + "/.deps"
  static let model = deps + "/models/moonshine-base-en"
  static let recording = deps + "/test-data/beckett.wav"
  /// As many as the recogniser makes of it.
  static let sentenceCount = 6
  static let isThere = [model + "/tokens.txt", deps + "/models/silero_vad.onnx", deps + "/sherpa-onnx/lib", recording]
    .allSatisfy { FileManager.default.fileExists(atPath: $0) }

  static func samples() async throws -> [Float] {
    let source = try await SpeechSource(FileSource(path: recording))
    var samples: [Float] = []
    while let chunk = try await source.next(maxFrames: 16_000) {
      if case .audio(let block) = chunk { samples += block.samples }
    }
    return samples
  }
}
