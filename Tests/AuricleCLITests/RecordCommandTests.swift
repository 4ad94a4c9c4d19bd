import AuricleAudio
import AuricleCapture
import AuricleRecognition
import AuricleRecording
import AuricleSession
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleCLI

@Suite("auricle record", .timeLimit(.minutes(5)))
struct RecordCommandTests {
  private let folder: TemporaryFolder
  private var out: String { "\(folder.path)/out" }
  private let name = "2025-01-31T09-30-00Z"

  init() throws { folder = try TemporaryFolder() }

  private func report() throws -> RecordingReport {
    try JSONDecoder().decode(RecordingReport.self, from: Data(folder.read("out/\(name)/report.json").utf8))
  }

  @Test("Sentences on standard output, a first and a last line of talk, four files, 0")
  func whole() async throws {
    let bench = Bench()
    #expect(await bench.run("record", "--source=-", "--yes", "--out", out) == .success)
    #expect(bench.output.writes == ["Ask not what.\n", "Ask what you.\n"])
    let audio = "\(out)/\(name)/audio.wav"
    #expect(
      bench.talk.lines == [
        "auricle: recording standard input to \(audio)", "auricle: recorded 0:03 to \(audio)",
      ])
    #expect(try folder.names(in: "out/\(name)") == ["audio.wav", "report.json", "transcript.srt", "transcript.txt"])
    #expect(try report().consent?.participants == ["everyone-present"] && report().source == "-")
    #expect(try report().rawAudioFilePath == audio && report().stopReason == .userInitiated)
  }

  @Test("A second recording of the same second has a name of its own")
  func twice() async throws {
    let bench = Bench()
    for _ in 0..<2 { #expect(await bench.run("record", "--yes", "--no-transcript", "--out", out) == .success) }
    #expect(try folder.names(in: "out") == [name, "\(name)-2"] && bench.loadCount.count == 0)
  }

  @Test("Without a terminal and without consent: 77, what to do, nothing opened, loaded or made")
  func nobodyToAsk() async {
    var bench = Bench()
    bench.recorded = { _ in
      Issue.record("it was opened")
      return Bench.seconds(1)
    }
    #expect(await bench.run("record", "--out", out) == .notPermitted)
    #expect(bench.talk.text.contains("--consent") && bench.talk.text.contains("--yes") && bench.talk.lines.count == 1)
    #expect(folder.names.isEmpty && bench.loadCount.count == 0)
  }

  @Test("Who does not agree is not recorded", arguments: ["n", "", nil])
  func refused(answer: String?) async {
    var bench = Bench()
    bench.terminal = ScriptedTerminal(line: answer)
    #expect(await bench.run("record", "--out", out) == .notPermitted)
    #expect(bench.talk.text.contains("[y/N") && bench.talk.text.hasSuffix("so nothing is recorded\n"))
    #expect(folder.names.isEmpty && bench.loadCount.count == 0)
  }

  @Test("Names that are typed stand in the report and nowhere else")
  func names() async throws {
    var bench = Bench()
    bench.terminal = ScriptedTerminal(line: "y Xaver, Yvonne")
    bench.device = ReportDevice(name: "mic", description: "A microphone")
    #expect(await bench.run("record", "--out", out) == .success)
    #expect(try report().consent?.participants == ["Xaver", "Yvonne"] && report().device?.name == "mic")
    #expect(!(bench.talk.text + bench.output.text).contains("Xaver"))
    #expect(bench.talk.text.contains("recording A microphone to"))
  }

  @Test("An interruption while it asks is 130")
  func interruptedQuestion() async {
    var bench = Bench()
    bench.stop.stop()
    bench.terminal = ScriptedTerminal(line: "y")
    bench.recorded = { _ in
      await ScriptGate().pass()
      throw CancellationError()
    }
    #expect(await bench.run("record", "--out", out) == .interrupted)
    #expect(folder.names.isEmpty)
  }

  @Test("A stream without audio is 0 and said")
  func empty() async throws {
    var bench = Bench()
    bench.recorded = { _ in ScriptedSource(format: .speech, samples: []) }
    #expect(await bench.run("record", "--source=-", "--yes", "--out", out) == .success)
    #expect(bench.talk.lines.last?.contains("no audio came") == true)
    #expect(try report().audio.duration == 0 && !report().isIncomplete)
  }

  @Test("A length ends it", arguments: [0.5, 2])
  func length(seconds: Double) async throws {
    let bench = Bench()
    #expect(await bench.run("record", "--yes", "--duration=\(seconds)s", "--out", out) == .success)
    #expect(try report().audio.duration == seconds && report().stopReason == .userInitiated)
  }

  @Test("A greatest length ends it with its own reason; a shorter length of the user's goes before it")
  func maximum() async throws {
    var bench = Bench()
    bench.recorded = { _ in Bench.seconds(61) }
    #expect(await bench.run("record", "--yes", "--max-duration=1", "--out", out) == .success)
    #expect(try report().audio.duration == 60 && report().stopReason == .maxDurationReached)
    #expect(bench.talk.lines.last?.hasSuffix("it ended early (maxDurationReached)") == true)
    try FileManager.default.removeItem(atPath: out)
    #expect(await bench.run("record", "--yes", "--max-duration=1", "--duration=30s", "--out", out) == .success)
    #expect(try report().audio.duration == 30 && report().stopReason == .userInitiated)
  }

  @Test("What happened stands in the report, from the wish to record to the end of the session")
  func events() async throws {
    #expect(await Bench().run("record", "--yes", "--no-transcript", "--out", out) == .success)
    let events = try report().sessionEvents
    #expect(
      events.map(\.event) == [
        "userInitiatedToStart", "sessionStarted", "userInitiatedToEndSession", "sessionEnded",
      ])
    #expect(events.allSatisfy { $0.timestamp != nil && $0.evidence != nil })
    #expect(try report().scene == "onSite")
  }

  @Test("A signal stops a silent source with 0")
  func stopped() async throws {
    var bench = Bench()
    let stop = bench.stop
    bench.recorded = { _ in WaitingSource(chunks: Bench.seconds(3)) { stop.stop() } }
    #expect(await bench.run("record", "--yes", "--out", out) == .success)
    #expect(try report().audio.duration == 3 && !report().isStoppedByInterruption)
    #expect(bench.output.lines.count == 2)
  }

  @Test("A source that does not open has its code, and leaves nothing behind")
  func notOpening() async {
    var bench = Bench()
    let codes = [(.notFound, 66), (.serverLost, 69), (.readFailed, 74)] as [(AudioError.Kind, Int32)]
    for (kind, code) in codes {
      bench.recorded = { _ in throw AudioError(kind, "it is\nnot there") }
      #expect(await bench.run("record", "--yes", "--out", out).rawValue == code)
    }
    #expect(folder.names.isEmpty && bench.talk.lines.allSatisfy { $0 == "auricle: it is not there" })
  }

  @Test("A folder that cannot be made is 74, and the disk that is too full leaves none behind")
  func badFolder() async throws {
    var bench = Bench()
    try folder.write("x", to: "file")
    #expect(await bench.run("record", "--yes", "--out", "\(folder.path)/file") == .ioFailure)
    bench.recorderLimits.freeByteFloor = .max
    #expect(await bench.run("record", "--yes", "--out", out) == .ioFailure)
    #expect(try folder.names(in: "out").isEmpty && bench.talk.lines.count == 2)
  }

  @Test("Withdrawn consent ends it with 0, and keeps or destroys what was recorded", arguments: ["keep", "destroy"])
  func withdrawn(_ policy: String) async throws {
    var bench = Bench()
    bench.recorded = { [withdrawal = bench.withdrawal] _ in
      WaitingSource(chunks: Bench.seconds(3), onArrival: { withdrawal.stop() })
    }
    #expect(await bench.run("record", "--yes", "--out", out, "--on-withdrawal", policy) == .success)
    let names = try folder.names(in: "out/\(name)")
    let all = ["audio.wav", "report.json", "transcript.srt", "transcript.txt"]
    #expect(names == (policy == "keep" ? all : ["report.json"]))
    #expect(try report().isDestroyed == (policy == "destroy") && report().stopReason == .userInitiated)
    #expect(bench.talk.lines.contains("auricle: consent was withdrawn; nothing is recorded any more"))
    #expect(bench.talk.lines.contains { $0.contains("is destroyed") } == (policy == "destroy"))
  }

  @Test("A source that fails on the way is 74 with a whole recording")
  func failing() async throws {
    var bench = Bench()
    bench.recorded = { _ in
      ScriptedSource(
        format: .speech,
        script: [.audio(PCMBlock(format: .speech, startFrame: 0, samples: [Float](repeating: 0, count: 20_000)))],
        failure: AudioError(.deviceLost, "the microphone is gone"))
    }
    #expect(await bench.run("record", "--yes", "--out", out) == .ioFailure)
    #expect(try report().stopReason == .disconnected && report().audio.duration == 1.25)
    #expect(bench.talk.lines[1] == "auricle: the microphone is gone")
    #expect(bench.talk.lines[2].hasSuffix("audio.wav; it ended early (disconnected)"))
  }

  @Test(
    "A recogniser that does not load is 69 at the end; the audio is there, and what makes the text is told")
  func noModel() async throws {
    var bench = Bench()
    bench.loadError = RecognitionError(.notConfigured, "no model is installed: run make setup")
    #expect(await bench.run("record", "--yes", "--out", out) == .unavailable)
    #expect(try report().incompleteReason == .recognitionFailed && report().audio.duration == 3)
    let audio = "\(out)/\(name)/audio.wav"
    #expect(bench.talk.lines.contains("auricle: no model is installed: run make setup"))
    #expect(bench.talk.lines.last?.hasSuffix("it has no text; auricle transcribe \(audio) makes all of it") == true)
  }

  @Test("What went wrong is in the exit code and told also when its news got lost on the way")
  func lostNews() async throws {
    let talk = CapturedSink()
    let screen = RecordScreen(Console(output: CapturedSink(), talk: talk, environment: [:], elapsed: { .zero }))
    let presenter = RecordPresenter(screen: screen, source: "mic", audioPath: "/none/audio.wav")
    let failures = [("audio", "deviceLost"), ("recognition", "failed")].map { domain, code in
      SessionFailure(domain: "auricle.\(domain)", code: code, message: "\(domain) \(code)")
    }
    var builder = ReportBuilder(context: ReportContext(provider: nil), startTime: Timestamp(millisecondsSince1970: 0))
    #expect(ExitCode(builder.current) == .success)
    builder.apply(.incomplete(.recognitionFailed))
    #expect(ExitCode(builder.current) == .unavailable)
    for failure in failures { builder.apply(.failure(failure)) }
    #expect(ExitCode(builder.current) == .ioFailure)
    await presenter.take(SessionDelivery(emitted: 0, result: .failure(failures[0])))
    await presenter.take(SessionDelivery(emitted: 1, result: .finish(builder.current)))
    await screen.finish(hurry: StopSignal(), clock: ManualClock())
    #expect(
      talk.lines.prefix(2) == ["auricle: audio deviceLost", "auricle: recognition failed"] && talk.lines.count == 3)
  }

  @Test("Standard output that cannot be written to ends no recording")
  func brokenOutput() async throws {
    var bench = Bench()
    bench.output = CapturedSink(error: OutputError("cannot write to standard output: the disk is full"))
    #expect(await bench.run("record", "--yes", "--out", out) == .ioFailure)
    #expect(try folder.read("out/\(name)/transcript.txt") == "Ask not what.\nAsk what you.\n")
    bench.output = CapturedSink(error: OutputError("broken pipe", isReaderGone: true))
    #expect(await bench.run("record", "--yes", "--out", out) == .success)
  }

  @Test("FLAC and Opus", arguments: [RecordingFormat.flac, .opus], [true, false])
  func formats(format: RecordingFormat, hasText: Bool) async throws {
    let bench = Bench()
    let words = ["record", "--yes", "--format", format.rawValue, "--out", out] + (hasText ? [] : ["--no-transcript"])
    #expect(await bench.run(words) == .success)
    #expect(try folder.names(in: "out/\(name)").contains(format.fileName) && report().audio.duration == 3)
    #expect(bench.output.lines.count == (hasText ? 2 : 0))
  }
}

@Suite("auricle devices")
struct DevicesTests {
  private static let devices = [
    CaptureDevice(
      name: "mic", description: "A \u{1B}[2Jmicrophone", isMonitor: false, isDefault: true, sampleRate: 44_100,
      channelCount: 1),
    CaptureDevice(
      name: "speaker.monitor", description: "Monitor of a speaker", isMonitor: true, isDefault: false,
      sampleRate: 48_000, channelCount: 2),
  ]

  @Test("A line a device, the default one marked")
  func table() async {
    var bench = Bench()
    bench.devices = .success(Self.devices)
    #expect(await bench.run("devices") == .success)
    #expect(
      bench.output.lines == [
        "* mic              44100 Hz, 1 ch  A [2Jmicrophone",
        "  speaker.monitor  48000 Hz, 2 ch  Monitor of a speaker (monitor)",
      ])
  }

  @Test("JSON reads back")
  func json() async throws {
    var bench = Bench()
    bench.devices = .success(Self.devices)
    #expect(await bench.run("devices", "--json") == .success)
    #expect(try JSONDecoder().decode([CaptureDevice].self, from: Data(bench.output.text.utf8)) == Self.devices)
  }

  @Test("No device is 0 and said; no server is 69 and said")
  func none() async {
    var bench = Bench()
    #expect(await bench.run("devices") == .success && bench.output.text.hasPrefix("There is nothing to record"))
    bench.devices = .failure(AudioError(.serverLost, "no sound server answers"))
    #expect(await bench.run("devices") == .unavailable && bench.talk.text == "auricle: no sound server answers\n")
  }
}
