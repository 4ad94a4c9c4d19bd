import AuricleAudio
import AuricleRecognition
import AuricleSession
import AuricleTestKit

/// A source that plays a list.
final class ListSource: AudioSource {
  enum End: Sendable {
    case end
    case fail(AudioError)
    /// Waits for ever, as a silent microphone; says when it begins to.
    case wait(onArrival: @Sendable () -> Void)
  }

  let format = AudioFormat.speech
  var expectedFrameCount: Int64? { nil }
  private let chunks: Guarded<ArraySlice<AudioChunk>>
  private let asked = Guarded<Set<Int>>([])
  private let end: End

  init(_ chunks: [AudioChunk], end: End = .end) {
    self.chunks = Guarded(chunks[...])
    self.end = end
  }

  convenience init(_ chunks: [AudioChunk], error: AudioError) { self.init(chunks, end: .fail(error)) }

  /// The lengths that were asked for.
  var maxFrames: [Int] { asked.withLock { $0.sorted() } }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    asked.withLock { _ = $0.insert(maxFrames) }
    if let chunk = chunks.withLock({ $0.popFirst() }) { return chunk }
    switch end {
    case .end: return nil
    case .fail(let error): throw error
    case .wait(let onArrival):
      onArrival()
      await ScriptGate().pass()
      throw CancellationError()
    }
  }
}

/// A clock whose every look is a millisecond later, and whose sleeps pass at once or never.
struct StepClock: Clock {
  enum Sleeps: Sendable { case pass, wait }

  private final class Steps: Sendable { let count = Guarded(0) }

  private let steps = Steps()
  let sleeps: Sleeps
  var minimumResolution: Duration { .milliseconds(1) }

  init(sleeps: Sleeps) { self.sleeps = sleeps }

  struct Instant: InstantProtocol {
    let offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  var now: Instant {
    Instant(
      offset: .milliseconds(
        steps.count.withLock { count in
          count += 1
          return count
        }))
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    if sleeps == .wait { await ScriptGate().pass() }
    try Task.checkCancellation()
  }
}

/// What a run delivered.
struct Seen: Sendable {
  var deliveries: [SessionDelivery] = []
  var report: RecordingReport

  var emitted: [Double] { deliveries.map(\.emitted) }
  var kinds: [String] {
    deliveries.map { delivery in
      switch delivery.result {
      case .transcript: "transcript"
      case .event: "event"
      case .failure: "error"
      case .recording: "recording"
      case .finish: "finish"
      }
    }
  }
  var finishCount: Int { kinds.count { $0 == "finish" } }
  var isFinishLast: Bool {
    guard case .finish(let last) = deliveries.last?.result else { return false }
    return last == report
  }
  var finals: [String] {
    deliveries.compactMap { delivery in
      if case .transcript(let transcript) = delivery.result, transcript.isSentenceFinal { transcript.text } else { nil }
    }
  }
  var events: [String] {
    deliveries.compactMap { delivery in
      if case .event(let event) = delivery.result { event.kind.name } else { nil }
    }
  }
}

/// Runs sources through a scripted recogniser.
struct Runner: Sendable {
  let provider: ScriptedProvider
  var stop = StopSignal()
  var sleeps = StepClock.Sleeps.wait
  var limits = RunLimits()
  var delay: @Sendable () async -> Void = {}

  init(
    provider: ScriptedProvider, stop: StopSignal = StopSignal(), sleeps: StepClock.Sleeps = .wait
  ) {
    self.provider = provider
    self.stop = stop
    self.sleeps = sleeps
  }

  init(script: [ScriptStep], stop: StopSignal = StopSignal(), sleeps: StepClock.Sleeps = .wait) {
    self.init(provider: ScriptedProvider(script), stop: stop, sleeps: sleeps)
  }

  func run(_ source: ListSource) async throws -> Seen {
    let run = TranscriptionRun(
      source: source, provider: provider, context: Samples.context, limits: limits, stop: stop,
      clock: StepClock(sleeps: sleeps), wallClock: { Samples.start })
    let deliveries = Guarded<[SessionDelivery]>([])
    let report = await run.run { [delay] delivery in
      await delay()
      deliveries.withLock { $0.append(delivery) }
    }
    return Seen(deliveries: deliveries.withLock { $0 }, report: report)
  }
}
