import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuricleRecognition
import AuricleTestKit
import Foundation

@testable import AuricleSession

/// A microphone into which a test speaks; it ends when it is told to.
final class FedSource: AudioSource {
  private struct State {
    var chunks: [AudioChunk] = []
    var frame: Int64 = 0
    var isOver = false
    var error: AudioError?
    var readCount = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  let format = AudioFormat.speech
  var expectedFrameCount: Int64? { nil }
  private let state = Guarded(State())

  /// How often somebody asked.
  var readCount: Int { state.withLock { $0.readCount } }
  /// Whether it was told to end.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Says something for so long.
  func speak(seconds: Double, _ sample: Float = 0.125) {
    let count = Int(seconds * 16_000)
    for start in stride(from: 0, to: count, by: 1_600) {
      change { state in
        let samples = [Float](repeating: sample, count: min(1_600, count - start))
        state.chunks.append(.audio(PCMBlock(format: .speech, startFrame: state.frame, samples: samples)))
        state.frame += Int64(samples.count)
      }
    }
  }

  /// Says words.
  func say(_ words: SpokenWords) {
    change { state in
      state.chunks += words.chunks()
      state.frame += words.frameCount
    }
  }

  /// Loses so much.
  func lose(seconds: Double, _ reason: AudioGap.Reason = .overrun) {
    change { state in
      let end = state.frame + Int64(seconds * 16_000)
      state.chunks.append(.gap(AudioGap(frames: state.frame..<end, sampleRate: 16_000, reason: reason)))
      state.frame = end
    }
  }

  func notice(_ event: CaptureEvent) { change { $0.chunks.append(.notice(AudioNotice(event))) } }
  func end() { change { $0.isOver = true } }
  func fail(_ error: AudioError) {
    change { state in
      state.error = error
      state.isOver = true
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let waiters = state.withLock { state in
      body(&state)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    state.withLock { $0.readCount += 1 }
    while true {
      try Task.checkCancellation()
      let (chunk, isOver, error) = state.withLock { state in
        (state.chunks.isEmpty ? nil : state.chunks.removeFirst(), state.isOver, state.error)
      }
      if let chunk { return chunk }
      if let error { throw error }
      if isOver { return nil }
      await wait()
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mayGoOn = state.withLock { state in
          guard state.chunks.isEmpty, !state.isOver, !Task.isCancelled else { return true }
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

/// A network that is there or not.
struct FixedNetwork: NetworkMonitor {
  let isOnline: Bool
  func changes() -> AsyncStream<Bool> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { $0.yield(isOnline) }
  }
}

/// A session with everything around it made up.
struct SessionBench: Sendable {
  let folder: TemporaryFolder
  var configuration: SessionConfiguration
  var writer = MemoryWriter()
  var journal = MemoryJournal()
  let source = FedSource()
  /// Whether the source has to be told that it ends.
  var hasEnd = true
  var script: [ScriptStep] = RecordingBench.speech
  var providers: [ServiceProvider]?
  var network = FixedNetwork(isOnline: true)
  var language: String?
  var clock: any Clock<Duration> = StepClock(sleeps: .wait)
  var whileOpening: @Sendable () async throws -> Void = {}
  var whileMaking: @Sendable () throws -> Void = {}
  let openCount = Guarded(0)
  /// The routes that were opened.
  let routes = Guarded<[AudioRoute?]>([])
  let fileCount = Guarded(0)

  static let consent: ConsentRecord = {
    guard let record = try? ConsentRecord(participants: ["a"], grantedAtMilliseconds: 5, policyRevision: "1") else {
      preconditionFailure("the consent of a test is one")
    }
    return record
  }()

  init(wantsTranscript: Bool = true) throws {
    folder = try TemporaryFolder()
    configuration = SessionConfiguration(consent: Self.consent, wantsTranscript: wantsTranscript)
  }

  /// The folder of the recording, which is made with its files.
  var path: String { "\(folder.path)/recording" }

  var environment: SessionEnvironment {
    let (source, writer, journal, hasEnd, path) = (source, writer, journal, hasEnd, path)
    let (whileOpening, whileMaking, openCount, fileCount, routes) =
      (whileOpening, whileMaking, openCount, fileCount, routes)
    let provider = ServiceProvider(ScriptedProvider(script), version: "1")
    return SessionEnvironment(
      registry: ProviderRegistry(providers ?? [provider]),
      openInput: { route, gate in
        routes.withLock { $0.append(route) }
        openCount.withLock { $0 += 1 }
        try await whileOpening()
        let input =
          hasEnd
          ? RecordingInput(source: GatedSource(source, gate: gate), end: { source.end() })
          : RecordingInput(source: GatedSource(source, gate: gate))
        return SessionInput(recording: input, device: ReportDevice(name: "mic", description: "A mic"), source: "mic")
      },
      makeFiles: { _ in
        fileCount.withLock { $0 += 1 }
        try whileMaking()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return SessionFiles(writer: writer, journal: journal, folder: path, audioFileName: "audio.wav")
      },
      speech: { $0 }, network: network, language: language, clock: clock, wallClock: { Samples.start })
  }

  func session() -> RecordingSession { RecordingSession(configuration, environment: environment) }

  /// A session that has started, has heard three seconds, and was stopped.
  func whole() async throws -> (RecordingSession, Seen) {
    let session = session()
    source.speak(seconds: 3)
    try await session.start()
    session.stop()
    return (session, await session.seen())
  }
}

extension RecordingSession {
  /// Reads everything that it delivers.
  func all(_ body: (SessionDelivery) async throws -> Void) async rethrows -> [SessionDelivery] {
    var deliveries: [SessionDelivery] = []
    for await delivery in results {
      deliveries.append(delivery)
      try await body(delivery)
    }
    return deliveries
  }

  /// Reads everything; for a session that has started.
  func seen(_ body: (SessionDelivery) async throws -> Void) async rethrows -> Seen {
    let deliveries = try await all(body)
    guard let report else { preconditionFailure("a session that started has a report") }
    return Seen(deliveries: deliveries, report: report)
  }
}

extension RecordingSession {
  /// Reads everything that it delivers.
  func all() async -> [SessionDelivery] { await all { _ in } }

  /// Reads everything; for a session that has started.
  func seen() async -> Seen { await seen { _ in } }
}

/// The failure that a start ends with; `nil` when it succeeds.
func failure(of session: RecordingSession) async -> SessionFailure? {
  do {
    try await session.start()
    return nil
  } catch {
    return error
  }
}

/// Waits until something is so, for five minutes at most.
func eventually(_ isSo: () -> Bool) async -> Bool {
  let limit = ContinuousClock.now + .seconds(240)
  while !isSo(), ContinuousClock.now < limit { try? await Task.sleep(for: .milliseconds(2)) }
  return isSo()
}
