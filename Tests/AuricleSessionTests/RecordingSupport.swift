import AuricleAudio
import AuricleConsent
import AuricleRecognition
import AuricleTestKit
import Foundation
import Synchronization

@testable import AuricleSession

/// A recording's file in memory.
final class MemoryWriter: RecordingWriter {
  private struct State {
    var chunks: [AudioChunk] = []
    var frameCount: Int64 = 0
    var finishCount = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
    var foreignCount = 0
    var hasDroppedTails = false
  }

  let format = AudioFormat.speech
  let freeByteCount: Int64?
  private let state = Guarded(State())
  private let failure: (frame: Int64, error: SessionFailure)?

  /// - Parameters:
  ///   - failure: From which frame on nothing can be written, and why.
  ///   - freeByteCount: The room on the disk.
  init(failure: (frame: Int64, error: SessionFailure)? = nil, freeByteCount: Int64 = 1 << 30) {
    self.failure = failure
    self.freeByteCount = freeByteCount
  }

  var frameCount: Int64 { state.withLock { $0.frameCount } }
  var byteCount: Int64 { frameCount * 2 }
  var isFinished: Bool { state.withLock { $0.finishCount > 0 } }
  /// How often another thread than a recording's appended.
  var foreignCount: Int { state.withLock { $0.foreignCount } }

  func append(_ block: PCMBlock) throws { try add(.audio(block), block.frames) }
  func append(_ gap: AudioGap) throws { try add(.gap(gap), gap.frames) }

  private func add(_ chunk: AudioChunk, _ frames: Range<Int64>) throws {
    if let failure, frames.upperBound > failure.frame { throw failure.error }
    let isForeign = !RecordingThread.isCurrent
    change { state in
      precondition(frames.lowerBound == state.frameCount, "frames follow on")
      state.chunks.append(chunk)
      state.frameCount = frames.upperBound
      state.foreignCount += isForeign ? 1 : 0
    }
  }

  func finish() throws { change { $0.finishCount += 1 } }

  var hasDroppedTails: Bool { state.withLock { $0.hasDroppedTails } }
  func dropTails() { change { $0.hasDroppedTails = true } }

  func makeTail() -> any AudioSource { Tail(writer: self) }

  private func change(_ body: (inout State) -> Void) {
    let waiters = state.withLock { state in
      body(&state)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// A chunk, once it is there; `nil` behind the last.
  fileprivate func chunk(_ index: Int) async throws -> AudioChunk? {
    while true {
      try Task.checkCancellation()
      let (chunk, isOver) = state.withLock { state in
        (index < state.chunks.count ? state.chunks[index] : nil, state.finishCount > 0)
      }
      if let chunk { return chunk }
      if isOver { return nil }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let mayGoOn = state.withLock { state in
            guard index >= state.chunks.count, state.finishCount == 0, !Task.isCancelled else { return true }
            state.waiters.append(continuation)
            return false
          }
          if mayGoOn { continuation.resume() }
        }
      } onCancel: {
        change { _ in }
      }
    }
  }

  private actor Tail: AudioSource {
    nonisolated let format = AudioFormat.speech
    nonisolated let expectedFrameCount: Int64? = nil
    private let writer: MemoryWriter
    private var index = 0

    init(writer: MemoryWriter) { self.writer = writer }

    func next(maxFrames: Int) async throws -> AudioChunk? {
      guard let chunk = try await writer.chunk(index) else { return nil }
      index += 1
      return chunk
    }
  }
}

/// A journal in memory.
final class MemoryJournal: JournalWriter {
  private let state = Guarded<(lines: [String], isRemoved: Bool)>(([], false))
  private let failure: SessionFailure?

  init(failure: SessionFailure? = nil) { self.failure = failure }

  var lines: [String] { state.withLock { $0.lines } }
  var entries: [JournalEntry] { lines.compactMap { JournalEntry(line: $0) } }
  var isRemoved: Bool { state.withLock { $0.isRemoved } }

  func append(line: String) throws {
    if let failure { throw failure }
    state.withLock { $0.lines.append(line) }
  }

  func sync() throws {}
  func remove() throws { state.withLock { $0.isRemoved = true } }
}

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("auricle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func read(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

  /// The names of everything in it, sorted.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

/// A recording with everything around it made up.
struct RecordingBench: Sendable {
  let folder: TemporaryFolder
  var writer = MemoryWriter()
  var journal = MemoryJournal()
  let gate = ConsentGate()
  var stop = StopSignal()
  var hurry = StopSignal()
  /// The clock of most tests runs by itself, so nothing is late.
  var limits = RecordingLimits(stall: nil)
  var sleeps = StepClock.Sleeps.wait
  var script: [ScriptStep]? = RecordingBench.speech
  /// Happens while the recogniser loads.
  var load: @Sendable () async throws -> Void = {}
  /// Happens whenever something is delivered.
  var onDelivery: @Sendable (SessionDelivery) async -> Void = { _ in }

  /// Two sentences in three seconds.
  static let speech =
    ScriptStep.sentence(0, "Ask not what.", frames: 1_600..<16_000)
    + ScriptStep.sentence(1, "Ask what you.", frames: 20_000..<40_000)
  static let threeSeconds = (0..<30).map { Samples.block($0 * 1_600, 1_600) }

  init() throws {
    folder = try TemporaryFolder()
    try gate.grant(ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: "1"))
  }

  func run(_ source: any AudioSource, end: (@Sendable () -> Void)? = nil) async -> Seen {
    let recognition = script.map { script in
      RecordingRecognition(
        provider: { [load] in
          try await load()
          return ScriptedProvider(script)
        }, configuration: RecognitionConfiguration(), speech: { $0 })
    }
    let header = JournalHeader(
      startTime: Samples.start, audioFileName: "audio.wav", format: .speech,
      consent: ReportConsent(participants: ["a"], grantedAt: Samples.start, policyRevision: "1"), device: nil,
      source: nil, language: nil, wantsTranscript: script != nil)
    let run = RecordingRun(
      input: RecordingInput(source: source, end: end), gate: gate, writer: writer, journal: journal,
      folder: folder.path, header: header, recognition: recognition, limits: limits, stop: stop, hurry: hurry,
      clock: StepClock(sleeps: sleeps), wallClock: { Samples.start })
    let deliveries = Guarded<[SessionDelivery]>([])
    let report = await run.run { delivery in
      deliveries.withLock { $0.append(delivery) }
      await onDelivery(delivery)
    }
    return Seen(deliveries: deliveries.withLock { $0 }, report: report)
  }
}
