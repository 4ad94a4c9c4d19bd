import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuricleRecognition
import AuricleRecording
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

/// Sessions with real files, whose consent is withdrawn.
private struct WithdrawalBench: Sendable {
  let temporary: TemporaryFolder
  let folder: RecordingFolder
  let session: RecordingSession
  let source = FedSource()
  let recorder: Recorder

  init(
    _ policy: WithdrawalPolicy, format: RecordingFormat = .wav, turn: ScriptedTurn = .works,
    whenMaking: @escaping @Sendable (RecordingFolder) throws -> Void = { _ in }
  ) throws {
    temporary = try TemporaryFolder()
    let folder = try RecordingFolder.create(in: temporary.path, named: "one")
    let recorder = try Recorder(
      folder: folder, format: format, audio: .speech, keepsSpool: format != .wav,
      limits: RecorderLimits(freeByteFloor: 0))
    let provider = ScriptedProvider(hearing: ScriptedTurns([turn]))
    let source = source
    let environment = SessionEnvironment(
      registry: ProviderRegistry([ServiceProvider(provider, version: "1")]),
      openInput: { _, gate in
        SessionInput(recording: RecordingInput(source: GatedSource(source, gate: gate), end: { source.end() }))
      },
      makeFiles: { _ in
        try whenMaking(folder)
        return SessionFiles(
          writer: RecorderFile(recorder), journal: try Journal(creating: folder.journalPath), folder: folder.path,
          audioFileName: recorder.format.fileName)
      }, speech: { $0 }, clock: StepClock(sleeps: .wait), wallClock: { Samples.start })
    session = RecordingSession(
      SessionConfiguration(consent: SessionBench.consent, onWithdrawal: policy), environment: environment)
    (self.folder, self.recorder) = (folder, recorder)
  }

  /// Says three sentences, and waits until they are written.
  func speak() async throws {
    try await session.start()
    source.say(SpokenWords(sentenceLengths: [3, 2, 4]))
    #expect(await eventually { recorder.progress.current.frameCount == 9 * 16_000 })
  }

  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } }

  /// Everything that lies in the folder, as bytes.
  var bytes: Data {
    get throws { try names.reduce(into: Data()) { $0 += try Data(contentsOf: URL(filePath: "\(folder.path)/\($1)")) } }
  }

  var writtenReport: RecordingReport {
    get throws {
      try JSONDecoder().decode(RecordingReport.self, from: Data(contentsOf: URL(filePath: folder.reportPath)))
    }
  }
}

@Suite("What happens to a recording when consent is withdrawn", .timeLimit(.minutes(5)))
struct WithdrawalTests {
  @Test("Kept: the audio and its words stay, and the report says that consent was withdrawn")
  func kept() async throws {
    let bench = try WithdrawalBench(.keep)
    try await bench.speak()
    bench.session.withdrawConsent()
    let seen = await bench.session.seen()
    #expect(seen.report.transcripts.count == 3 && !seen.report.isDestroyed && seen.report.audio.duration == 9)
    #expect(seen.events.contains("consentWithdrawn") && seen.report.stopReason == .userInitiated)
    #expect(try bench.names == ["audio.wav", "report.json", "transcript.srt", "transcript.txt"])
  }

  @Test("Destroyed: audio, words and journal are gone, and the report says so", arguments: RecordingFormat.allCases)
  func destroyed(_ format: RecordingFormat) async throws {
    let bench = try WithdrawalBench(.destroy, format: format)
    try await bench.speak()
    // Another name of the same bytes, to look at what became of them.
    let other = "\(bench.temporary.path)/other"
    try FileManager.default.linkItem(atPath: bench.folder.audioPath(format), toPath: other)
    bench.session.withdrawConsent()
    let seen = await bench.session.seen()
    #expect(seen.report.isDestroyed && seen.report.transcripts.isEmpty && seen.report.rawAudioFilePath == nil)
    #expect(seen.report.audio.duration == 9 && seen.report.consent?.participants == ["a"])
    #expect(seen.events.last == "sessionEnded" && seen.finishCount == 1 && seen.isFinishLast)
    #expect(try bench.names == ["report.json"] && bench.writtenReport == seen.report)
    #expect(try bench.bytes.range(of: Data("w0".utf8)) == nil)
    #expect(try Data(contentsOf: URL(filePath: other)).isEmpty)
  }

  @Test("Destroyed also while the last words are waited for, and nobody waits for them any more")
  func destroyedLate() async throws {
    let bench = try WithdrawalBench(.destroy, turn: .waits(ScriptGate(), after: 60_000))
    try await bench.speak()
    bench.session.stop()
    _ = await bench.session.audioEnd()
    bench.session.withdrawConsent()
    let seen = await bench.session.seen()
    #expect(seen.report.isDestroyed && seen.report.transcripts.isEmpty)
    #expect(try bench.names == ["report.json"])
  }

  @Test("Killed between the withdrawal and the end: whoever recovers the recording destroys it")
  func killed() async throws {
    let bench = try WithdrawalBench(.destroy)
    try await bench.speak()
    #expect(await eventually { (try? bench.bytes)?.range(of: Data("w3 w4.".utf8)) != nil })
    // What a process leaves behind that is killed at the first moment after the withdrawal.
    let left = RecordingFolder(path: "\(bench.temporary.path)/left")
    let watch = bench.session.core.gate.whenWithdrawn {
      try? FileManager.default.copyItem(atPath: bench.folder.path, toPath: left.path)
    }
    bench.session.withdrawConsent()
    _ = await bench.session.seen()
    withExtendedLifetime(watch) {}
    #expect(FileManager.default.fileExists(atPath: left.audioPath(.wav)))
    let recovery = RecordingRecovery(
      folder: left, recognition: nil, openAudio: { _ in ListSource([]) }, clock: StepClock(sleeps: .pass),
      wallClock: { Samples.start })
    guard case .recovered(let report, nil) = try await recovery.run(deliver: { _ in }) else {
      return #expect(Bool(false), "it is not recovered")
    }
    #expect(report.isDestroyed && report.transcripts.isEmpty && report.incompleteReason == .processKilled)
    #expect(try FileManager.default.contentsOfDirectory(atPath: left.path) == ["report.json"])
  }

  @Test("Killed while the journal is overwritten: the report that says so stays", arguments: [0, 500])
  func killedLast(_ zeroCount: Int) async throws {
    let bench = try WithdrawalBench(.destroy)
    try await bench.speak()
    bench.session.withdrawConsent()
    let report = await bench.session.seen().report
    try Data(repeating: 0, count: zeroCount).write(to: URL(filePath: bench.folder.journalPath))
    let recovery = RecordingRecovery(
      folder: bench.folder, recognition: nil, openAudio: { _ in ListSource([]) }, clock: StepClock(sleeps: .pass),
      wallClock: { Samples.start })
    guard case .recovered(report, nil) = try await recovery.run(deliver: { _ in }) else {
      return #expect(Bool(false), "another report is made")
    }
    #expect(report.isDestroyed && report.consent?.participants == ["a"])
    #expect(try bench.names == ["report.json"] && bench.writtenReport == report)
  }

  @Test("A journal with an absurd time in it is destroyed as well", arguments: [1e300, 1e17, -1e300])
  func absurdTime(_ end: Double) async throws {
    let temporary = try TemporaryFolder()
    let folder = try RecordingFolder.create(in: temporary.path, named: "one")
    let header = JournalHeader(
      startTime: Samples.start, audioFileName: "audio.wav", format: .speech, consent: nil, device: nil, source: nil,
      language: nil, wantsTranscript: true)
    let sentence = #"""
      {"entry":"transcript","value":\#
      {"sentenceIndex":0,"text":"w0","start":0,"end":\#(end),"speakerSegments":[],"sequence":0}}
      """#
    let lines = [try JournalEntry.header(header).line(), sentence, try JournalEntry.destroy.line(), ""]
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: folder.journalPath))
    #expect(JournalFold(folder: folder.path, lines: lines).transcripts.count == 1)
    let recovery = RecordingRecovery(
      folder: folder, recognition: nil, openAudio: { _ in ListSource([]) }, clock: StepClock(sleeps: .pass),
      wallClock: { Samples.start })
    guard case .recovered(let report, nil) = try await recovery.run(deliver: { _ in }) else {
      return #expect(Bool(false), "it is not recovered")
    }
    #expect(report.isDestroyed)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["report.json"])
  }

  @Test("What cannot be destroyed is told, and the journal stays for whoever tries it again")
  func stubborn() async throws {
    let bench = try WithdrawalBench(.destroy) { folder in
      try FileManager.default.createDirectory(atPath: folder.transcriptPath("srt"), withIntermediateDirectories: false)
    }
    try await bench.speak()
    bench.session.withdrawConsent()
    let seen = await bench.session.seen()
    #expect(!seen.report.isDestroyed && seen.report.transcripts.isEmpty && seen.report.errors.count == 1)
    #expect(seen.kinds.contains("error") && seen.isFinishLast)
    #expect(try bench.names == ["\(URL(filePath: bench.folder.journalPath).lastPathComponent)", "transcript.srt"])
    try FileManager.default.removeItem(atPath: bench.folder.transcriptPath("srt"))
    let recovery = RecordingRecovery(
      folder: bench.folder, recognition: nil, openAudio: { _ in ListSource([]) }, clock: StepClock(sleeps: .pass),
      wallClock: { Samples.start })
    guard case .recovered(let report, nil) = try await recovery.run(deliver: { _ in }) else {
      return #expect(Bool(false), "it is not recovered")
    }
    #expect(report.isDestroyed)
    #expect(try bench.names == ["report.json"])
  }
}
