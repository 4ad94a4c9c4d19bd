import AuricleAudio
import AuricleRecognition
import AuricleRecording
import AuricleSession
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleCLI

@Suite("auricle recover", .timeLimit(.minutes(5)))
struct RecoverCommandTests {
  private let folder: TemporaryFolder
  private let start = Timestamp(millisecondsSince1970: 1_738_315_800_250)

  init() throws { folder = try TemporaryFolder() }

  /// A recording of three seconds that did not come to its end.
  @discardableResult
  private func unfinished(
    _ name: String, format: RecordingFormat = .wav, wantsTranscript: Bool = true, hasHeader: Bool = true,
    entries: [JournalEntry] = []
  ) throws -> Journal {
    let place = try RecordingFolder.create(in: folder.path, named: name)
    let journal = try Journal(creating: place.journalPath)
    let recorder = try Recorder(folder: place, format: format, audio: .speech, keepsSpool: wantsTranscript)
    let header = JournalHeader(
      startTime: start, audioFileName: format.fileName, format: .speech,
      consent: ReportConsent(participants: ["a"], grantedAt: start, policyRevision: "1"), device: nil, source: "-",
      language: "en", wantsTranscript: wantsTranscript)
    for entry in (hasHeader ? [JournalEntry.header(header)] : []) + entries { try journal.append(try entry.line()) }
    for second in 0..<3 {
      let samples = [Float](repeating: 0.25, count: 16_000)
      try recorder.append(PCMBlock(format: .speech, startFrame: Int64(second) * 16_000, samples: samples))
    }
    return journal
  }

  private func final(_ index: Int, _ text: String, _ frames: Range<Int64>) -> JournalEntry {
    .transcript(
      ReportTranscript(
        Transcript(
          sentenceIndex: index, text: text, stablePrefix: text, isSentenceFinal: true,
          span: TimeSpan(frames: frames, sampleRate: 16_000), languageCode: "en", sequence: 0)))
  }

  private func report(_ name: String) throws -> RecordingReport {
    try JSONDecoder().decode(RecordingReport.self, from: Data(folder.read("\(name)/report.json").utf8))
  }

  @Test("What was killed gets its report, its text and no journal", arguments: RecordingFormat.allCases)
  func killed(format: RecordingFormat) async throws {
    let bench = Bench()
    let gap = AudioGap(frames: 16_000..<24_000, sampleRate: 16_000, reason: .paused)
    try unfinished("r", format: format, entries: [.gap(JournalGap(gap))])
    #expect(await bench.run("recover", "--out", folder.path) == .success)
    #expect(
      bench.output.text == "\(folder.path)/r: recovered 0:03, 2 sentences; incomplete: processKilled.\n"
        && bench.talk.text.isEmpty)
    #expect(
      try folder.names(in: "r") == [format.fileName, "report.json", "transcript.srt", "transcript.txt"])
    let report = try report("r")
    #expect(report.incompleteReason == .processKilled && report.stopReason == .interrupted)
    #expect(report.audio.duration == 3 && report.startTime == start && report.gaps.map(\.reason) == ["paused"])
    #expect(report.consent?.participants == ["a"] && report.provider?.model == "script")
    #expect(report.endTime.millisecondsSince1970 - start.millisecondsSince1970 == 3_000)
    #expect(try folder.read("r/transcript.txt") == "Ask not what.\nAsk what you.\n")
    #expect(await bench.run("recover", "--out", folder.path) == .success)
    #expect(bench.output.lines.last == "Nothing to recover in \(folder.path).")
  }

  @Test("Sentences that are there stay, and what is behind the last of them is transcribed")
  func rest() async throws {
    var bench = Bench()
    let heard = ChunkLog()
    bench.source = { _ in LoggedSource(source: Bench.seconds(3), log: heard) }
    bench.script = ScriptStep.sentence(0, "Ask what you.", frames: 20_000..<40_000)
    try unfinished("r", entries: [final(0, "Kept as it is.", 1_600..<16_000)])
    #expect(await bench.run("recover", "--out", folder.path) == .success)
    let report = try report("r")
    #expect(report.transcripts.map(\.text) == ["Kept as it is.", "Ask what you."])
    #expect(report.transcripts.map(\.sentenceIndex) == [0, 1])
    #expect(heard.frameCount == 48_000)
  }

  @Test(
    "Without a model audio and report are there, it is 69, and the text comes once there is one, however often it was tried",
    arguments: [RecognitionError.Kind.notConfigured, .invalidModel, .languageUnsupported])
  func noModel(kind: RecognitionError.Kind) async throws {
    var bench = Bench()
    bench.loadError = RecognitionError(kind, "no model is installed: run make setup")
    try unfinished("r")
    for _ in 0...RecordingRecovery<ContinuousClock>.attemptLimit {
      #expect(await bench.run("recover", "--out", folder.path) == .unavailable)
      #expect(try report("r").audio.duration == 3 && report("r").incompleteReason == .processKilled)
      #expect(try report("r").errors.map(\.code) == [kind.name])
    }
    let advice = "no model is installed: run make setup; then auricle recover adds the text"
    #expect(bench.talk.lines.first == "auricle: \(folder.path)/r: \(advice)")
    bench.loadError = nil
    #expect(await bench.run("recover", "--out", folder.path) == .success)
    #expect(try report("r").transcripts.count == 2 && report("r").errors.isEmpty)
    #expect(try !folder.names(in: "r").contains(".journal.jsonl"))
  }

  @Test("A WAV whose beginning was overwritten gets it again from what the journal knows")
  func overwritten() async throws {
    let bench = Bench()
    try unfinished("r")
    let path = "\(folder.path)/r/audio.wav"
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.write(contentsOf: Data(repeating: 0x5A, count: 60))
    try file.close()
    #expect(await bench.run("recover", "--out", folder.path) == .success)
    #expect(try report("r").audio.duration == 3 && report("r").errors.isEmpty)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.prefix(4) == Data("RIFF".utf8) && bytes.count == 3 * 32_000 + 80)
    #expect(bytes.suffix(96_000).allSatisfy { $0 == 0x20 || $0 == 0 })
  }

  @Test("What a newer version recorded is left to that one, and no journal names a file outside of its folder")
  func newer() async throws {
    let bench = Bench()
    var header = JournalHeader(
      startTime: start, audioFileName: "audio.wav", format: .speech, consent: nil, device: nil, source: nil,
      language: nil, wantsTranscript: false)
    header.version = JournalHeader.currentVersion + 1
    try unfinished("newer", hasHeader: false, entries: [.header(header)])
    #expect(await bench.run("recover", "--out", folder.path) == .badData)
    #expect(bench.talk.text.contains("a newer version recorded it"))
    #expect(try folder.names(in: "newer") == [".journal.jsonl", "audio.wav"])
    header.version = JournalHeader.currentVersion
    header.audioFileName = "../elsewhere.wav"
    #expect(JournalFold(folder: "/r", lines: [try JournalEntry.header(header).line()]).header == nil)
  }

  @Test("What still runs is left alone")
  func running() async throws {
    let bench = Bench()
    let journal = try unfinished("r")
    #expect(await bench.run("recover", "--out", folder.path) == .success)
    #expect(bench.output.text == "\(folder.path)/r: still recording; left alone.\n" && bench.loadCount.count == 0)
    #expect(try folder.names(in: "r") == [".journal.jsonl", "audio.wav"])
    withExtendedLifetime(journal) {}
  }

  @Test("After two attempts that died the audio is left as it is and the text out, with the reason; then the next one")
  func attempts() async throws {
    let bench = Bench()
    let gap = AudioGap(frames: 16_000..<24_000, sampleRate: 16_000, reason: .paused)
    let entries: [JournalEntry] = [.gap(JournalGap(gap)), .attempt(start), .attempt(start)]
    try unfinished("r", entries: entries)
    let before = FileManager.default.contents(atPath: "\(folder.path)/r/audio.wav")
    let whole = JournalEntry.ended(JournalEnd(time: start, frameCount: 48_000))
    try unfinished("s", entries: [final(0, "Kept.", 1_600..<16_000), whole, .attempt(start), .attempt(start)])
    try unfinished("t")
    #expect(await bench.run("recover", "--out", folder.path) == .badData)
    #expect(bench.talk.text.contains("died 2 times") && bench.loadCount.count == 1)
    let report = try report("r")
    #expect(report.transcripts.isEmpty && report.isIncomplete && report.audio.duration == 1.5)
    #expect(report.errors.map(\.code) == ["damaged"] && report.stopReason == .interrupted)
    #expect(FileManager.default.contents(atPath: "\(folder.path)/r/audio.wav") == before)
    #expect(try self.report("s").audio.duration == 3 && self.report("s").transcripts.map(\.text) == ["Kept."])
    #expect(try self.report("t").transcripts.count == 2)
    for name in folder.names { #expect(try !folder.names(in: name).contains(".journal.jsonl")) }
  }

  @Test("Lost audio is told once, however often its text was waited for")
  func shortened() async throws {
    var bench = Bench()
    bench.loadError = RecognitionError(.notConfigured, "no model")
    let entries: [JournalEntry] = [
      .incomplete(.timedOut), .ended(JournalEnd(time: start, frameCount: 160_000)),
    ]
    try unfinished("r", entries: entries)
    for _ in 0..<2 { #expect(await bench.run("recover", "--out", folder.path) == .unavailable) }
    bench.loadError = nil
    #expect(await bench.run("recover", "--out", folder.path) == .badData)
    #expect(try report("r").errors.map(\.code) == ["damaged"] && report("r").transcripts.count == 2)
  }

  @Test("An attempt that fails without dying does not count")
  func failed() async throws {
    let bench = Bench()
    try unfinished("r")
    let blocker = "\(folder.path)/r/report.json/x"
    try FileManager.default.createDirectory(atPath: blocker, withIntermediateDirectories: true)
    for _ in 0..<3 { #expect(await bench.run("recover", "--out", folder.path) == .ioFailure) }
    try FileManager.default.removeItem(atPath: "\(folder.path)/r/report.json")
    #expect(await bench.run("recover", "--out", folder.path) == .success)
    #expect(try report("r").transcripts.count >= 2 && report("r").errors.isEmpty)
  }

  @Test("The attempt is noted before the recogniser is touched")
  func noted() async throws {
    var bench = Bench()
    let path = folder.path
    bench.whileLoading = {
      let lines = try? Journal.read("\(path)/r/.journal.jsonl")
      #expect(lines?.contains { $0.contains(#""entry":"attempt""#) } == true)
    }
    try unfinished("r")
    #expect(await bench.run("recover", "--out", folder.path) == .success)
  }

  @Test("Interrupted: the journal stays, and the attempt does not count")
  func interrupted() async throws {
    var bench = Bench()
    let stop = bench.stop
    bench.source = { _ in WaitingSource(chunks: Bench.seconds(1)) { stop.stop() } }
    try unfinished("r")
    #expect(await bench.run("recover", "--out", folder.path) == .interrupted)
    let fold = JournalFold(folder: "", lines: try Journal.read("\(folder.path)/r/.journal.jsonl"))
    #expect(fold.attemptCount == 0 && fold.transcripts.map(\.text) == ["Ask not what."])
    let next = Bench(script: ScriptStep.sentence(0, "Ask what you.", frames: 20_000..<40_000))
    #expect(await next.run("recover", "--out", folder.path) == .success)
    #expect(try report("r").transcripts.map(\.text) == ["Ask not what.", "Ask what you."])
  }

  @Test("One that cannot be recovered does not stop the others")
  func broken() async throws {
    let bench = Bench()
    try unfinished("a")
    try FileManager.default.removeItem(atPath: "\(folder.path)/a/audio.wav")
    try folder.write("no sound at all", to: "a/audio.wav")
    try unfinished("b")
    try unfinished("c")
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/c/report.json/x", withIntermediateDirectories: true)
    #expect(await bench.run("recover", "--out", folder.path) == .ioFailure)
    #expect(bench.output.lines.contains("\(folder.path)/b: recovered 0:03, 2 sentences; incomplete: processKilled."))
    #expect(try folder.read("a/audio.wav") == "no sound at all" && report("a").audio.duration == 0)
    #expect(try folder.names(in: "c").contains(".journal.jsonl"))
  }

  @Test("A recording without header, without audio, or with an empty journal still gets a report")
  func bare() async throws {
    let bench = Bench()
    try unfinished("a", hasHeader: false)
    try unfinished("b", hasHeader: false)
    try FileManager.default.removeItem(atPath: "\(folder.path)/b/audio.wav")
    #expect(await bench.run("recover", "--out", folder.path) == .success)
    #expect(try report("a").audio.duration == 3 && report("a").transcripts.count == 2)
    #expect(try report("b").audio.duration == 0 && report("b").isIncomplete)
  }

  @Test("Recordings without text stay without, and those that lacked only their files are complete")
  func textless() async throws {
    let bench = Bench()
    try unfinished("a", wantsTranscript: false)
    try unfinished(
      "b",
      entries: [
        final(0, "Whole.", 0..<40_000), .stopped(.userInitiated),
        .ended(JournalEnd(time: start, frameCount: 48_000)),
      ])
    #expect(await bench.run("recover", "--out", folder.path) == .success)
    #expect(bench.loadCount.count == 0 && bench.output.lines.last?.hasSuffix("1 sentence; complete.") == true)
    #expect(try report("a").transcripts.isEmpty && !report("b").isIncomplete)
  }

  @Test("Nothing there and no such folder are 0, a file that is no folder is 74")
  func nothing() async throws {
    let bench = Bench()
    #expect(await bench.run("recover", "--out", folder.path) == .success)
    #expect(await bench.run("recover", "--out", "\(folder.path)/none") == .success)
    #expect(bench.output.lines.count == 2)
    try folder.write("x", to: "file")
    #expect(await bench.run("recover", "--out", "\(folder.path)/file") == .ioFailure)
    #expect(await Bench().run("recover") == .ioFailure)
  }
}

/// How many frames were read.
private final class ChunkLog: Sendable {
  private let state = Guarded<Int64>(0)
  var frameCount: Int64 { state.withLock { $0 } }
  func add(_ frameCount: Int64) { state.withLock { $0 += frameCount } }
}

/// A source that says what was read from it.
private struct LoggedSource: AudioSource {
  let source: ScriptedSource
  let log: ChunkLog
  var format: AudioFormat { source.format }
  var expectedFrameCount: Int64? { source.expectedFrameCount }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    let chunk = try await source.next(maxFrames: maxFrames)
    if case .audio(let block) = chunk { log.add(Int64(block.frameCount)) }
    return chunk
  }
}
