import AuricleAudio
import AuricleRecognition
import AuricleSession
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleCLI

@Suite("auricle transcribe", .timeLimit(.minutes(5)))
struct TranscribeCommandTests {
  private let folder: TemporaryFolder
  private var wav: String { "\(folder.path)/a.wav" }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("sound", to: "a.wav")
    try folder.write("sound", to: "b.wav")
  }

  @Test("Text on standard output is words only, one sentence a line, as they come; nothing else is said")
  func text() async {
    let bench = Bench()
    #expect(await bench.run("transcribe", wav) == .success)
    #expect(bench.output.writes == ["Ask not what.\n", "Ask what you.\n"])
    #expect(bench.talk.text.isEmpty)
  }

  @Test("JSON is the report")
  func json() async throws {
    let bench = Bench()
    #expect(await bench.run("transcribe", wav, "--format=json", "--language=en-GB") == .success)
    let report = try JSONDecoder().decode(RecordingReport.self, from: Data(bench.output.text.utf8))
    #expect(report.transcripts.map(\.text) == ["Ask not what.", "Ask what you."])
    #expect(report.source == wav && report.language == "en-GB" && report.audio.duration == 3)
    #expect(report.provider == ReportProvider(vendor: "scripted", model: "script"))
  }

  @Test("Subtitles and Markdown come whole", arguments: ["srt", "vtt", "md"])
  func exports(format: String) async {
    let bench = Bench()
    #expect(await bench.run("transcribe", wav, "--format", format) == .success)
    #expect(bench.output.writes.count == 1 && bench.output.text.contains("Ask what you."))
  }

  @Test("JSON lines: one write a line, partials too, the finish last")
  func lines() async throws {
    let bench = Bench()
    #expect(await bench.run("transcribe", wav, "--format=jsonl") == .success)
    #expect(bench.output.writes.allSatisfy { $0.hasSuffix("\n") && $0.filter(\.isNewline).count == 1 })
    let types = bench.output.lines.compactMap { LineProbe($0)?.type }
    #expect(types.count == bench.output.lines.count)
    #expect(Set(types.dropLast()) == ["transcript", "event"] && types.last == "finish")
    #expect(bench.output.lines.contains { $0.contains(#""isFinal":false"#) })
    #expect(!bench.output.text.contains(#""file":"#))
  }

  @Test("Partials are not asked for when nobody sees them")
  func noPartials() async {
    let script = [ScriptStep(.frame(1), .deliver(.event(SessionEvent(.speechStarted, time: 0))))]
    let bench = Bench(script: Bench.speech + script)
    _ = await bench.run("transcribe", wav, "--format=json")
    #expect(!bench.output.text.contains("\u{1B}"))
  }

  @Test("No speech: an empty output, a word on standard error, and 0")
  func silence() async {
    let bench = Bench(script: [])
    #expect(await bench.run("transcribe", wav) == .success)
    #expect(bench.output.text.isEmpty && bench.talk.text == "auricle: \(wav): no speech found\n")
  }

  @Test("Several files: a heading each, a blank line between")
  func severalTexts() async {
    let bench = Bench()
    let other = "\(folder.path)/b.wav"
    #expect(await bench.run("transcribe", wav, other) == .success)
    let words = "Ask not what.\nAsk what you.\n"
    #expect(bench.output.text == "==> \(wav) <==\n\(words)\n==> \(other) <==\n\(words)")
    #expect(bench.loadCount.count == 1)
  }

  @Test("Several files as JSON are one array, also when one of them fails")
  func severalJSON() async throws {
    let bench = Bench()
    let code = await bench.run("transcribe", wav, "\(folder.path)/none.wav", "\(folder.path)/b.wav", "--format=json")
    #expect(code == .noInput)
    let reports = try JSONDecoder().decode([RecordingReport].self, from: Data(bench.output.text.utf8))
    #expect(reports.compactMap(\.source) == [wav, "\(folder.path)/b.wav"])
  }

  @Test("Nothing to show of several files is still an array")
  func emptyArray() async {
    let bench = Bench()
    #expect(await bench.run("transcribe", "/none/a", "/none/b", "--format=json") == .noInput)
    #expect(bench.output.text == "[]\n")
  }

  @Test("Several files as JSON lines have a file each; a file that fails has its error and its finish")
  func severalLines() async {
    let bench = Bench()
    #expect(await bench.run("transcribe", "/none/a.wav", wav, "--format=jsonl") == .noInput)
    let probes = bench.output.lines.compactMap(LineProbe.init)
    #expect(probes.prefix(2).map(\.type) == ["error", "finish"] && probes.last?.type == "finish")
    #expect(probes.prefix(2).allSatisfy { $0.file == "/none/a.wav" && $0.emitted == 0 })
    #expect(probes.dropFirst(2).allSatisfy { $0.file == wav } && probes.count > 4)
  }

  @Test("No such file, a folder, no name: 66, also without a model, which is not even looked for")
  func noInput() async {
    var bench = Bench()
    bench.loadError = RecognitionError(.notConfigured, "no model is installed: run make setup")
    for path in ["\(folder.path)/none.wav", folder.path, "", "\(wav)/x"] {
      #expect(await bench.run("transcribe", path) == .noInput)
    }
    #expect(bench.output.text.isEmpty && bench.loadCount.count == 0 && bench.talk.lines.count == 4)
    #expect(bench.talk.lines[0] == "auricle: \(folder.path)/none.wav: no such file; check the name")
    #expect(bench.talk.lines[1] == "auricle: \(folder.path): it is a folder; name the files in it")
    #expect(bench.talk.lines[2] == "auricle: '': no such file; check the name")
  }

  @Test(
    "A source's failure has its code",
    arguments: [
      (AudioError.Kind.notAudio, 65), (.unsupportedFormat, 65), (.notFound, 66), (.notPermitted, 66),
      (.missingTool, 69), (.readFailed, 74), (AudioError.Kind(name: "new"), 74),
    ] as [(AudioError.Kind, Int32)])
  func sourceFailures(kind: AudioError.Kind, code: Int32) async {
    var bench = Bench()
    bench.source = { _ in throw AudioError(kind, "it is\nbad") }
    #expect(await bench.run("transcribe", wav).rawValue == code)
    #expect(bench.talk.text == "auricle: \(wav): it is bad\n" && bench.output.text.isEmpty)
  }

  @Test(
    "A recogniser's failure at the start has its code and ends the command",
    arguments: [
      (RecognitionError.Kind.notConfigured, 69), (.invalidModel, 69), (.languageUnsupported, 69), (.failed, 69),
      (.invalidParameter, 64),
    ] as [(RecognitionError.Kind, Int32)])
  func loadFailures(kind: RecognitionError.Kind, code: Int32) async {
    var bench = Bench()
    bench.loadError = RecognitionError(kind, "do this")
    #expect(await bench.run("transcribe", wav, wav).rawValue == code)
    #expect(bench.talk.text == "auricle: do this\n")
  }

  @Test("A language that the model lacks is 69")
  func language() async {
    let bench = Bench()
    #expect(await bench.run("transcribe", wav, "--language=de") == .unavailable)
    #expect(bench.talk.lines.count == 1)
  }

  @Test("A source that fails half-way: what was there, one error, 74; the finish is still last")
  func halfWay() async {
    var bench = Bench()
    bench.source = { _ in
      ScriptedSource(
        format: .speech,
        script: [.audio(PCMBlock(format: .speech, startFrame: 0, samples: [Float](repeating: 0, count: 20_000)))],
        failure: AudioError(.readFailed, "the disk is gone"))
    }
    #expect(await bench.run("transcribe", wav) == .ioFailure)
    #expect(bench.output.text == "Ask not what.\n" && bench.talk.text == "auricle: \(wav): the disk is gone\n")
    bench.output = CapturedSink()
    #expect(await bench.run("transcribe", wav, "--format=jsonl") == .ioFailure)
    #expect(bench.output.lines.suffix(2).compactMap { LineProbe($0)?.type } == ["error", "finish"])
  }

  @Test(
    "A message has its file's name in front once, whatever the file is called",
    arguments: [
      ("a", "the file is a WAV", "a: the file is a WAV"), ("a", "a: no audio", "a: no audio"),
      ("the", "the file is cut short", "the: the file is cut short"), ("b.wav", "a", "b.wav: a"),
      ("a.wav", "a.wav.gz: no audio", "a.wav: a.wav.gz: no audio"),
    ])
  func messages(name: String, message: String, expected: String) {
    #expect(Presenter.message(message, about: name) == expected)
  }

  @Test("Damaged audio that gave something is 0 with a warning")
  func damaged() async {
    var bench = Bench()
    bench.source = { _ in
      ScriptedSource(
        format: .speech,
        script: [
          .audio(PCMBlock(format: .speech, startFrame: 0, samples: [Float](repeating: 0, count: 48_000))),
          .notice(AudioNotice(.damagedAudio, "the file is cut short")),
          .gap(AudioGap(frames: 48_000..<64_000, sampleRate: 16_000, reason: .damaged)),
        ])
    }
    #expect(await bench.run("transcribe", wav) == .success)
    #expect(
      bench.talk.lines == [
        "auricle: warning: \(wav): the file is cut short",
        "auricle: warning: \(wav): audio is missing from 3.0 s to 4.0 s (damaged)",
      ])
  }

  @Test("The highest code of several files wins")
  func highest() async {
    var bench = Bench()
    let wav = wav
    bench.source = { request in
      if request.name != wav { throw AudioError(.notAudio, "no audio") }
      return Bench.seconds(3)
    }
    #expect(await bench.run("transcribe", "\(folder.path)/b.wav", "/none", wav) == .noInput)
    #expect(bench.talk.lines.count == 2 && bench.output.text.contains("Ask not what."))
  }

  @Test("Errors of the command line are 64, one line, and nothing is done")
  func usage() async {
    let bench = Bench()
    #expect(await bench.run("transcribe", wav, "--formt=x") == .usage)
    #expect(await bench.run("transcribe", wav, wav, "--output=\(wav)") == .usage)
    #expect(await bench.run() == .usage)
    #expect(bench.talk.lines.count == 3 && bench.loadCount.count == 0)
  }
}

/// What a test looks at in a JSON line.
struct LineProbe: Decodable {
  let type: String
  let emitted: Double
  let file: String?

  init?(_ line: String) {
    guard let value = try? JSONDecoder().decode(LineProbe.self, from: Data(line.utf8)) else { return nil }
    self = value
  }
}
