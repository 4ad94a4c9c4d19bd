import AuricleAudio
import AuricleRecognition
import AuricleSession
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleCLI

@Suite("Interruption and trouble with the output", .timeLimit(.minutes(5)))
struct InterruptionTests {
  private let folder: TemporaryFolder
  private var wav: String { "\(folder.path)/a.wav" }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("sound", to: "a.wav")
  }

  /// Three seconds, then silence until somebody stops it.
  private func waiting(_ stop: StopSignal) -> @Sendable (SourceRequest) async throws -> any AudioSource {
    { _ in WaitingSource(chunks: Bench.seconds(3)) { stop.stop() } }
  }

  @Test("Interrupted: the words so far, a finish, 130, and no further file")
  func interrupted() async {
    var bench = Bench()
    bench.source = waiting(bench.stop)
    #expect(await bench.run("transcribe", wav, wav, "--format=jsonl") == .interrupted)
    #expect(bench.output.lines.count { $0.contains(#""isFinal":true"#) } == 2)
    #expect(bench.output.lines.count { $0.contains(#""type":"finish""#) } == 1)
    #expect(bench.output.lines.last?.contains(#""incompleteReason":"interrupted""#) == true)
    #expect(bench.talk.text == "auricle: \(wav): interrupted at 0:03; the text ends there\n")
  }

  @Test("Interrupted with an output file: it is there, whole, marked incomplete")
  func interruptedFile() async throws {
    var bench = Bench()
    bench.source = waiting(bench.stop)
    #expect(await bench.run("transcribe", wav, "--format=json", "--output=\(folder.path)/o.json") == .interrupted)
    let report = try JSONDecoder().decode(RecordingReport.self, from: Data(folder.read("o.json").utf8))
    #expect(report.isIncomplete && report.isStoppedByInterruption && report.transcripts.count == 2)
  }

  @Test("Interrupted while the input opens, as a pipe that nobody writes to: 130 at once, no output")
  func interruptedOpening() async {
    var bench = Bench()
    let stop = bench.stop
    bench.source = { _ in
      stop.stop()
      await ScriptGate().pass()
      throw CancellationError()
    }
    #expect(await bench.run("transcribe", "-", "--output=\(folder.path)/o.txt") == .interrupted)
    #expect(folder.names == ["a.wav"] && bench.talk.text.isEmpty)
  }

  @Test("Interrupted while the input opens, the live stream still has its finish")
  func interruptedOpeningLines() async {
    var bench = Bench()
    let stop = bench.stop
    bench.source = { _ in
      stop.stop()
      await ScriptGate().pass()
      throw CancellationError()
    }
    #expect(await bench.run("transcribe", "-", "--format=jsonl") == .interrupted)
    #expect(bench.output.lines.compactMap { LineProbe($0)?.type } == ["finish"])
  }

  @Test("Interrupted while the recogniser loads or is tried: 130 at once, and the loading is told", arguments: [1, 2])
  func interruptedLoading(fileCount: Int) async throws {
    var bench = Bench()
    let stop = bench.stop
    let cancelled = StopSignal()
    bench.whileLoading = {
      await withTaskCancellationHandler {
        stop.stop()
        await ScriptGate().pass()
      } onCancel: {
        cancelled.stop()
      }
    }
    let words = ["transcribe"] + [String](repeating: wav, count: fileCount) + ["--format=jsonl"]
    #expect(await bench.run(words) == .interrupted)
    #expect(bench.output.lines.compactMap { LineProbe($0)?.type } == ["finish"])
    #expect(cancelled.isStopped && bench.loadCount.count == 1 && bench.talk.text.isEmpty)
  }

  @Test("Loading that cannot be broken off holds nobody up")
  func stubbornLoading() async {
    var bench = Bench()
    let stop = bench.stop
    let end = StopSignal()
    bench.whileLoading = {
      stop.stop()
      // Owned by the loading, which ends with it.
      await Task.detached { _ = await end.wait() }.value
    }
    #expect(await bench.run("transcribe", wav, "--output=\(folder.path)/o.txt") == .interrupted)
    #expect(folder.names == ["a.wav"])
    end.stop()
  }

  @Test("When no input opens, the loading is told that nobody needs it")
  func loadingForNothing() async {
    var bench = Bench()
    let begun = StopSignal()
    let cancelled = StopSignal()
    bench.whileLoading = {
      await withTaskCancellationHandler {
        begun.stop()
        await ScriptGate().pass()
      } onCancel: {
        cancelled.stop()
      }
    }
    bench.source = { _ in
      _ = await begun.wait()
      throw AudioError(.notAudio, "no audio")
    }
    #expect(await bench.run("transcribe", wav) == .badData)
    #expect(cancelled.isStopped)
  }

  @Test("Interrupted before it begins")
  func interruptedBefore() async {
    let bench = Bench()
    bench.stop.stop()
    #expect(await bench.run("transcribe", wav) == .interrupted)
    #expect(bench.output.text.isEmpty && bench.loadCount.count == 0)
    #expect(await bench.run("transcribe", wav, wav, "--format=jsonl") == .interrupted)
    #expect(bench.output.lines.compactMap { LineProbe($0)?.type } == ["finish"])
  }

  @Test("A reader that goes away ends it quietly", arguments: ["text", "jsonl", "json", "md"])
  func readerGone(format: String) async {
    var bench = Bench()
    bench.output = CapturedSink(error: OutputError("broken pipe", isReaderGone: true), after: format == "jsonl" ? 2 : 0)
    #expect(await bench.run("transcribe", wav, wav, "--format", format == "json" ? "json" : format) == .success)
    #expect(bench.talk.text.isEmpty)
  }

  @Test("Standard output that cannot be written to is told once and is 74")
  func outputFails() async {
    var bench = Bench()
    bench.output = CapturedSink(error: OutputError("cannot write to standard output: the disk is full"))
    #expect(await bench.run("transcribe", wav, wav) == .ioFailure)
    #expect(bench.talk.text == "auricle: cannot write to standard output: the disk is full\n")
    bench.talk = CapturedSink()
    #expect(await bench.run("--help") == .ioFailure)
    #expect(await bench.run("--version") == .ioFailure)
    #expect(await bench.run("doctor") == .ioFailure)
  }

  @Test("Nobody listening on standard error harms nothing")
  func talkFails() async {
    var bench = Bench(script: [])
    bench.talk = CapturedSink(error: OutputError("closed"))
    #expect(await bench.run("transcribe", wav) == .success)
  }

  @Test("An output file is written whole; nothing goes to standard output")
  func outputFile() async throws {
    let bench = Bench()
    try folder.write("old", to: "o.txt")
    #expect(await bench.run("transcribe", wav, "--output", "\(folder.path)/o.txt") == .success)
    #expect(try folder.read("o.txt") == "Ask not what.\nAsk what you.\n")
    #expect(bench.output.text.isEmpty && folder.names == ["a.wav", "o.txt"])
  }

  @Test("A folder gets a file for each input that opens")
  func outputFolder() async throws {
    let bench = Bench()
    try FileManager.default.createDirectory(atPath: "\(folder.path)/out", withIntermediateDirectories: false)
    let code = await bench.run("transcribe", wav, "/none.wav", "-", "--format=srt", "--output=\(folder.path)/out")
    #expect(code == .noInput)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/out").sorted() == ["a.srt", "stdin.srt"])
  }

  @Test("A source that does not open leaves an older output as it is")
  func olderOutput() async throws {
    var bench = Bench()
    bench.source = { _ in throw AudioError(.notAudio, "no audio") }
    try folder.write("old", to: "o.txt")
    #expect(await bench.run("transcribe", wav, "--output=\(folder.path)/o.txt") == .badData)
    #expect(try folder.read("o.txt") == "old" && folder.names == ["a.wav", "o.txt"])
  }

  @Test("An output that cannot be is 74 before anything is loaded")
  func badOutput() async {
    let bench = Bench()
    #expect(await bench.run("transcribe", wav, "--output=\(folder.path)/none/o.txt") == .ioFailure)
    #expect(await bench.run("transcribe", wav, "--output=\(wav)/o.txt") == .ioFailure)
    #expect(bench.loadCount.count == 0 && bench.talk.lines.count == 2)
    #expect(bench.talk.lines[0].hasSuffix("name a folder that exists and is writable"))
  }

  @Test("A full disk is 74 and says so", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDisk() async {
    let bench = Bench()
    #expect(await bench.run("transcribe", wav, "--output=/dev/full") == .ioFailure)
    #expect(bench.talk.text == "auricle: cannot write /dev/full: the disk is full\n")
  }
}
