import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuricleRecognition
import AuricleRecording
import AuricleSession
import AuricleTestKit
import Foundation
import Synchronization

@testable import AuricleCLI

/// SplitMix64: the same seed gives the same numbers.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
  mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// A folder that goes with the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("auricle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
  }

  func read(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

  /// The names of everything in a folder of it, hidden things too, sorted.
  func names(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)").sorted()
  }

  /// The names of everything in it, sorted.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

/// Keeps what is written, and can fail.
final class CapturedSink: ByteSink {
  private struct State {
    var bytes: [UInt8] = []
    var writes: [String] = []
  }

  let terminalWidth: Int?
  private let state = Mutex(State())
  private let error: OutputError?
  private let goodWrites: Int

  init(terminalWidth: Int? = nil, error: OutputError? = nil, after goodWrites: Int = 0) {
    self.terminalWidth = terminalWidth
    self.error = error
    self.goodWrites = goodWrites
  }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    let isGood = state.withLock { state -> Bool in
      guard error == nil || state.writes.count < goodWrites else { return false }
      state.bytes += bytes
      state.writes.append(String(decoding: bytes, as: UTF8.self))
      return true
    }
    if !isGood, let error { throw error }
  }

  var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }
  /// One string a call.
  var writes: [String] { state.withLock(\.writes) }
  var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// A sink whose reader is slow: things happen while it is written to.
struct SlowSink: ByteSink {
  let terminalWidth: Int?
  let meanwhile: @Sendable () -> Void
  func write(_ bytes: [UInt8]) throws(OutputError) { meanwhile() }
}

/// A source that waits for ever, as a silent microphone.
struct WaitingSource: AudioSource {
  let chunks: ScriptedSource
  let onArrival: @Sendable () -> Void
  var format: AudioFormat { .speech }
  var expectedFrameCount: Int64? { nil }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    if let chunk = try await chunks.next(maxFrames: maxFrames) { return chunk }
    onArrival()
    await ScriptGate().pass()
    throw CancellationError()
  }
}

/// The tool with everything around it made up.
struct Bench: Sendable {
  var output = CapturedSink()
  var talk = CapturedSink()
  var environment: [String: String] = [:]
  var stop = StopSignal()
  var script = Bench.speech
  var loadError: RecognitionError?
  /// Happens while the recogniser loads.
  var whileLoading: @Sendable () async -> Void = {}
  var source: @Sendable (SourceRequest) async throws -> any AudioSource = { _ in Bench.seconds(3) }
  var checks: [DoctorCheck] = []
  let loadCount = Counter()
  var terminal: ScriptedTerminal?
  var hurry = StopSignal()
  var pauseRequests: [AsyncStream<Void>] = []
  var withdrawal = StopSignal()
  /// What is recorded; it meets the gate behind this.
  var recorded: @Sendable (RecordingOrigin) async throws -> any AudioSource = { _ in Bench.seconds(3) }
  var device: ReportDevice?
  var devices: Result<[CaptureDevice], AudioError> = .success([])
  var recorderLimits = RecorderLimits()
  var clock: any Clock<Duration> = ManualClock()

  /// Two sentences in three seconds.
  static let speech =
    ScriptStep.sentence(0, "Ask not what.", frames: 1_600..<16_000)
    + ScriptStep.sentence(1, "Ask what you.", frames: 20_000..<40_000)

  static func seconds(_ count: Int) -> ScriptedSource {
    ScriptedSource(format: .speech, samples: [Float](repeating: 0.125, count: count * 16_000))
  }

  func run(_ words: String...) async -> ExitCode { await run(words) }

  func run(_ words: [String]) async -> ExitCode {
    let provider = ScriptedProvider(script)
    let surroundings = Surroundings(
      output: output, talk: talk, environment: environment, clock: clock,
      wallClock: { Timestamp(millisecondsSince1970: 1_738_315_800_250) }, stop: stop, openSource: source,
      loadProvider: { [loadError, loadCount, whileLoading] request throws(RecognitionError) in
        loadCount.increase()
        await whileLoading()
        if let loadError { throw loadError }
        return provider
      },
      probeModel: { path, _ throws(RecognitionError) in
        if path != "good" { throw RecognitionError(.invalidModel, "\(path) is no model: name another folder") }
      },
      doctorChecks: { [checks] _ in checks }, recording: recording)
    return await AuricleTool(surroundings: surroundings).run(words)
  }
}

extension Bench {
  fileprivate var recording: RecordingSurroundings {
    RecordingSurroundings(
      terminal: terminal, hurry: hurry,
      pauseRequests: { [pauseRequests] in pauseRequests.first ?? AsyncStream { _ in } },
      withdrawal: withdrawal,
      openInput: { [recorded, device] origin, _, gate in
        let source = GatedSource(try await recorded(origin), gate: gate)
        return OpenedInput(input: RecordingInput(source: source), device: device)
      },
      listDevices: { [devices] () throws(AudioError) in try devices.get() }, recorderLimits: recorderLimits)
  }
}

/// A terminal at which a test sits.
struct ScriptedTerminal: TerminalInput {
  var isStandardInput = true
  /// The answer to every question.
  var line: String?
  /// What is typed.
  var typed: @Sendable () -> AsyncStream<UInt8> = { AsyncStream { _ in } }

  func readLine() async -> String? { line }
  func keys() -> AsyncStream<UInt8> { typed() }
}

final class Counter: Sendable {
  private let state = Mutex(0)
  var count: Int { state.withLock { $0 } }
  func increase() { state.withLock { $0 += 1 } }
}
