import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuricleRecognition
import AuricleRecording
import AuricleSession
import AuricleTestKit
import Foundation

/// A machine for a test: a microphone that plays a list and then is quiet until it is stopped, real files in a folder that
/// goes with the test, and a scripted recogniser.
final class Stage: Sendable {
  let path: String
  let registry: ProviderRegistry
  private let opened = Guarded(0)
  private let filesMade = Guarded(0)
  private let isEndless: Bool
  private let chunks: [AudioChunk]

  /// - Parameters:
  ///   - chunks: What the microphone hears.
  ///   - isEndless: Whether it goes on in silence until it is stopped; else its end is the recording's.
  init(
    _ chunks: [AudioChunk] = Stage.threeSeconds, script: [ScriptStep] = Stage.speech, isEndless: Bool = true,
    features: ServiceFeatures = [.aiAudioRecording, .callAudioRecording]
  ) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("auricle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.resolvingSymlinksInPath().path
    self.chunks = chunks
    self.isEndless = isEndless
    registry = ProviderRegistry([ServiceProvider(ScriptedProvider(script), version: "1", features: features)])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// How often a microphone was opened.
  var openCount: Int { opened.withLock { $0 } }
  /// How many recordings were begun on the disk.
  var fileCount: Int { filesMade.withLock { $0 } }

  var environment: SessionEnvironment {
    SessionEnvironment(
      registry: registry,
      openInput: { [self] _, gate in
        opened.withLock { $0 += 1 }
        let source = PlayedSource(chunks, isEndless: isEndless)
        return SessionInput(recording: RecordingInput(source: GatedSource(source, gate: gate), end: { source.end() }))
      },
      makeFiles: { [self] request in
        let number = filesMade.withLock { count in
          count += 1
          return count
        }
        return try Stage.files(in: path, named: "recording-\(number)", request)
      },
      speech: { $0 }, wallClock: { Timestamp(.now) })
  }

  /// Files as programs make them.
  static func files(in path: String, named name: String, _ request: SessionFilesRequest) throws -> SessionFiles {
    let folder = try RecordingFolder.create(in: path, named: name)
    let journal = try Journal(creating: folder.journalPath)
    let recorder = try Recorder(folder: folder, format: .wav, audio: request.audio)
    return SessionFiles(
      writer: RecorderFile(recorder), journal: journal, folder: folder.path,
      audioFileName: RecordingFormat.wav.fileName)
  }

  /// Two sentences in three seconds.
  static let speech =
    ScriptStep.sentence(0, "Ask not what.", frames: 1_600..<16_000)
    + ScriptStep.sentence(1, "Ask what you.", frames: 20_000..<40_000)
  static let threeSeconds = (0..<30).map { block(at: $0 * 1_600, count: 1_600) }

  /// A block whose samples say where they are.
  static func block(at start: Int64, count: Int) -> AudioChunk {
    let samples = (0..<count).map { Float((Int(start) + $0) % 1_000) / 32_768 }
    return .audio(PCMBlock(format: .speech, startFrame: start, samples: samples))
  }
}

/// A microphone that plays a list; then it ends, or is quiet until somebody ends it.
final class PlayedSource: AudioSource {
  let format = AudioFormat.speech
  var expectedFrameCount: Int64? { nil }
  private let chunks: Guarded<ArraySlice<AudioChunk>>
  private let ended: StopSignal
  private let onPlayed: @Sendable () -> Void

  /// - Parameter onPlayed: Called when the whole list was taken.
  init(_ chunks: [AudioChunk], isEndless: Bool, onPlayed: @escaping @Sendable () -> Void = {}) {
    self.chunks = Guarded(chunks[...])
    self.onPlayed = onPlayed
    ended = StopSignal()
    if !isEndless { ended.stop() }
  }

  func end() { ended.stop() }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    try Task.checkCancellation()
    if let chunk = chunks.withLock({ $0.popFirst() }) { return chunk }
    onPlayed()
    guard await ended.wait() else { throw CancellationError() }
    return nil
  }
}

/// Lines that a test waits for.
final class Lines: Sendable {
  private let state = Guarded<[String]>([])

  func add(_ line: String) { state.withLock { $0.append(line) } }
  var all: [String] { state.withLock { $0.map { $0 } } }

  /// Waits for a line that begins so; half a minute at most.
  func wait(for beginning: String, count: Int = 1) async -> Bool {
    for _ in 0..<6_000 {
      if all.count(where: { $0.hasPrefix(beginning) }) >= count { return true }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }
}
