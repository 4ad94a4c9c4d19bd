import AuricleAudio
import AuricleConsent
import AuricleRecognition
import AuricleRecording
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

/// A recording with real files whose text comes from providers of a registry.
private struct FileBench: Sendable {
  static let words = SpokenWords(sentenceLengths: [3, 2, 4])

  let temporary: TemporaryFolder
  let folder: RecordingFolder
  let recorder: Recorder
  let network: ScriptedNetwork
  let transcriber: Transcriber
  var sleeps = StepClock.Sleeps.wait

  init(
    _ providers: [ScriptedProvider], format: RecordingFormat = .wav, isOnline: Bool = true,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
  ) throws {
    temporary = try TemporaryFolder()
    folder = try RecordingFolder.create(in: temporary.path, named: "one")
    recorder = try Recorder(
      folder: folder, format: format, audio: .speech, limits: RecorderLimits(freeByteFloor: 0))
    network = ScriptedNetwork(isOnline: isOnline)
    transcriber = Transcriber(
      Transcriber.Selection(
        registry: ProviderRegistry(providers.map { ServiceProvider($0, version: "1") }), vendor: nil,
        features: .aiAudioRecording), configuration: RecognitionConfiguration(), network: network, speech: { $0 },
      chance: { 0 }, sleep: sleep)
  }

  /// Records the words, and whatever comes of them.
  func record(_ source: any AudioSource = ListSource(FileBench.words.chunks()), stop: StopSignal = StopSignal())
    async throws
    -> Seen
  {
    let gate = ConsentGate()
    try gate.grant(ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: "1"))
    let header = JournalHeader(
      startTime: Samples.start, audioFileName: recorder.format.fileName, format: .speech,
      consent: ReportConsent(participants: ["a"], grantedAt: Samples.start, policyRevision: "1"), device: nil,
      source: nil, language: nil, wantsTranscript: true)
    var run = RecordingRun(
      input: RecordingInput(source: source), gate: gate, writer: RecorderFile(recorder),
      journal: try Journal(creating: folder.journalPath), folder: folder.path, header: header, recognition: nil,
      stop: stop, clock: StepClock(sleeps: sleeps), wallClock: { Samples.start })
    run.transcriber = transcriber
    let deliveries = Guarded<[SessionDelivery]>([])
    let report = await run.run { delivery in deliveries.withLock { $0.append(delivery) } }
    return Seen(deliveries: deliveries.withLock { $0 }, report: report)
  }

  static func recover(_ folder: RecordingFolder, with turns: ScriptedTurns) async throws -> RecoveryOutcome {
    let recovery = RecordingRecovery(
      folder: folder,
      recognition: RecordingRecognition(
        provider: { ScriptedProvider(hearing: turns, needsNetwork: true) }, configuration: RecognitionConfiguration(),
        speech: { $0 }),
      openAudio: { _ in ListSource(words.chunks()) }, clock: StepClock(sleeps: .pass), wallClock: { Samples.start })
    return try await recovery.run { _ in }
  }

  static func report(in folder: RecordingFolder) throws -> RecordingReport {
    try JSONDecoder().decode(RecordingReport.self, from: Data(contentsOf: URL(filePath: folder.reportPath)))
  }

  var hasJournal: Bool { FileManager.default.fileExists(atPath: folder.journalPath) }
}

@Suite("The text of a recording on the disk", .timeLimit(.minutes(5)))
struct RecordedTextTests {
  private static func remote(_ turns: [ScriptedTurn] = []) -> ScriptedProvider {
    ScriptedProvider(hearing: ScriptedTurns(turns), vendor: "remote", needsNetwork: true)
  }

  @Test(
    "§9: The connection is lost and comes back: nothing is missing, and the report says so",
    arguments: [RecordingFormat.wav, .flac])
  func lost(_ format: RecordingFormat) async throws {
    let turns: [ScriptedTurn] = [.dies(.connectionLost, after: 60_000), .failsToStart(.network), .ends(after: 20_000)]
    let bench = try FileBench([Self.remote(turns)], format: format)
    let seen = try await bench.record()
    #expect(seen.finals == FileBench.words.sentences && seen.report.transcripts.map(\.text) == seen.finals)
    #expect(seen.report.hadNetworkDisconnection && !seen.report.isIncomplete && !seen.report.isOfflineRecording)
    #expect(seen.report.errors.isEmpty && seen.report.revision == 0 && !seen.kinds.contains("error"))
    #expect(seen.report.sessionEvents.map(\.event) == seen.events && !bench.hasJournal)
    #expect(try FileBench.report(in: bench.folder) == seen.report)
  }

  @Test("§9: Losing the provider for good costs text, never audio")
  func lostForGood() async throws {
    let bench = try FileBench([Self.remote([.dies(.quotaExceeded, after: 60_000)])])
    let seen = try await bench.record()
    #expect(seen.finals == [FileBench.words.sentences[0]] && seen.report.audio.duration == 9)
    #expect(seen.report.incompleteReason == .recognitionFailed && seen.report.errors.map(\.code) == ["quotaExceeded"])
    #expect(seen.kinds.contains("error") && !bench.hasJournal && !seen.report.hadNetworkDisconnection)
  }

  @Test("§9: A provider that fails for good and is replaced leaves a complete report")
  func replaced() async throws {
    let bench = try FileBench([
      Self.remote([.dies(.quotaExceeded, after: 60_000)]),
      ScriptedProvider(hearing: ScriptedTurns(), vendor: "local"),
    ])
    let (stop, transcriber, reached) = (StopSignal(), bench.transcriber, ScriptGate())
    let source = ListSource(FileBench.words.chunks(), end: .wait(onArrival: { reached.open() }))
    let task = Task { try await bench.record(source, stop: stop) }
    await reached.pass()
    let limit = ContinuousClock.now + .seconds(240)
    while transcriber.machineState != .blocked, ContinuousClock.now < limit {
      try await Task.sleep(for: .milliseconds(1))
    }
    try transcriber.select("local")
    stop.stop()
    let seen = try await task.value
    #expect(seen.finals == FileBench.words.sentences && !seen.report.isIncomplete)
    #expect(seen.report.provider?.vendor == "local" && seen.report.stopReason == .userInitiated)
  }

  @Test(
    "§9: Offline to its end it waits in the store; then the next revision has the text, and only then the journal goes")
  func offline() async throws {
    var bench = try FileBench([Self.remote()], isOnline: false)
    bench.sleeps = .pass
    let seen = try await bench.record()
    #expect(seen.report.isOfflineRecording && seen.report.incompleteReason == .textPending && seen.report.revision == 0)
    #expect(seen.report.audio.duration == 9 && seen.finals.isEmpty && !seen.report.hadNetworkDisconnection)
    #expect(bench.hasJournal && seen.isFinishLast && seen.finishCount == 1)
    #expect(try FileBench.report(in: bench.folder) == seen.report)

    // Nobody is there still: everything stays, and no revision is issued that has no news.
    let offline = ScriptedTurns(Array(repeating: .failsToStart(.offline), count: 8))
    guard case .waiting(let same, let failure) = try await FileBench.recover(bench.folder, with: offline) else {
      return #expect(Bool(false), "it does not wait")
    }
    #expect(same.revision == 0 && failure.code == "offline" && bench.hasJournal)

    // The connection breaks in the middle, and stays broken: what came stays.
    let broken = ScriptedTurns(
      [.dies(.connectionLost, after: 100_000)] + Array(repeating: .failsToStart(.connectionLost), count: 8))
    guard case .waiting(let half, _) = try await FileBench.recover(bench.folder, with: broken) else {
      return #expect(Bool(false), "it does not wait")
    }
    #expect(half.revision == 1 && half.transcripts.count == 2 && half.isIncomplete && bench.hasJournal)
    #expect(try FileBench.report(in: bench.folder).revision == 1)

    guard case .recovered(let whole, nil) = try await FileBench.recover(bench.folder, with: ScriptedTurns()) else {
      return #expect(Bool(false), "it is not recovered")
    }
    #expect(whole.revision == 2 && whole.transcripts.map(\.text) == FileBench.words.sentences)
    #expect(!whole.isIncomplete && whole.isOfflineRecording && whole.errors.isEmpty && !bench.hasJournal)
    #expect(whole.transcripts.map(\.sentenceIndex) == [0, 1, 2] && whole.stopReason == .userInitiated)
    #expect(try FileBench.report(in: bench.folder) == whole)
  }

  @Test("§9: The network goes away and stays away: what is there is reported, and the rest comes later")
  func lostToTheEnd() async throws {
    let gate = ScriptGate()
    var bench = try FileBench([Self.remote([.waits(gate, after: 100_000)])])
    bench.sleeps = .pass
    let stop = StopSignal()
    let source = ListSource(FileBench.words.chunks(), end: .wait(onArrival: {}))
    let (network, transcriber) = (bench.network, bench.transcriber)
    let task = Task { [bench] in try await bench.record(source, stop: stop) }
    await gate.waitForArrival()
    network.set(isOnline: false)
    let limit = ContinuousClock.now + .seconds(240)
    while transcriber.reason != .offline, ContinuousClock.now < limit { try await Task.sleep(for: .milliseconds(1)) }
    stop.stop()
    let seen = try await task.value
    #expect(seen.report.hadNetworkDisconnection && seen.report.incompleteReason == .textPending && bench.hasJournal)
    #expect(!seen.report.isOfflineRecording && seen.report.transcripts.count == 2)
    guard case .recovered(let whole, nil) = try await FileBench.recover(bench.folder, with: ScriptedTurns()) else {
      return #expect(Bool(false), "it is not recovered")
    }
    #expect(whole.revision == 1 && whole.transcripts.map(\.text) == FileBench.words.sentences && !whole.isIncomplete)
    #expect(whole.hadNetworkDisconnection)
  }

  @Test("§9: Killed while it waits for the network, it is found, and its text comes with its first report")
  func killed() async throws {
    let bench = try FileBench([Self.remote()], isOnline: false)
    let (reached, stop) = (ScriptGate(), StopSignal())
    let source = ListSource(FileBench.words.chunks(), end: .wait(onArrival: { reached.open() }))
    let task = Task { try await bench.record(source, stop: stop) }
    await reached.pass()
    let isNoted = await eventually {
      (try? String(contentsOfFile: bench.folder.journalPath, encoding: .utf8))?.contains(#""offline""#) == true
    }
    #expect(isNoted)
    // What a process leaves behind that is killed now.
    let left = RecordingFolder(path: "\(bench.temporary.path)/left")
    try FileManager.default.copyItem(atPath: bench.folder.path, toPath: left.path)
    task.cancel()
    _ = try await task.value
    let found = try RecordingRecovery<StepClock>.folders(in: bench.temporary.path)
    #expect(found.contains(left))
    guard case .recovered(let report, nil) = try await FileBench.recover(left, with: ScriptedTurns()) else {
      return #expect(Bool(false), "it is not recovered")
    }
    #expect(report.transcripts.map(\.text) == FileBench.words.sentences && report.isOfflineRecording)
    #expect(report.incompleteReason == .processKilled && report.revision == 0 && report.audio.duration == 9)
  }

  @Test("§9: While a recording runs, nobody else recovers it; once it waits for its text, anybody may")
  func lock() async throws {
    let bench = try FileBench([Self.remote()], isOnline: false)
    let (reached, stop) = (ScriptGate(), StopSignal())
    let source = ListSource(FileBench.words.chunks(), end: .wait(onArrival: { reached.open() }))
    let task = Task { try await bench.record(source, stop: stop) }
    await reached.pass()
    guard case .inUse = try await FileBench.recover(bench.folder, with: ScriptedTurns()) else {
      return #expect(Bool(false), "somebody recovers what runs")
    }
    task.cancel()
    #expect(try await task.value.report.isStoppedByInterruption && bench.hasJournal)
    guard case .recovered = try await FileBench.recover(bench.folder, with: ScriptedTurns()) else {
      return #expect(Bool(false), "it is not recovered")
    }
  }

  @Test("§9: However a recording in FLAC is cut, the spool keeps what the next provider has to hear", arguments: 0..<20)
  func spool(seed: Int) async throws {
    var random = SeededRandom(seed: UInt64(seed))
    let turns = (0..<3).map { _ in
      ScriptedTurn.dies(.connectionLost, after: Int64.random(in: 0...FileBench.words.frameCount, using: &random))
    }
    let bench = try FileBench([Self.remote(turns)], format: .flac)
    let seen = try await bench.record()
    #expect(seen.finals == FileBench.words.sentences && !seen.report.isIncomplete)
    let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path).sorted()
    #expect(names == ["audio.flac", "report.json", "transcript.srt", "transcript.txt"])
  }
}
