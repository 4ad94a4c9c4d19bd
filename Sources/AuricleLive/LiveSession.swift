import AuricleAudio
import AuricleRecognition
import Foundation

/// Listens live with a model that decodes whole segments: drives a ``LiveMachine``.
public actor LiveSession: RecognitionSession {
  /// Everything that the session delivers.
  public nonisolated let results = ResultStream()

  private let policy: LivePolicy
  private let decoder: any SpeechDecoder
  private let detector: any VoiceDetector
  private let queue: DecodeQueue
  private var machine: LiveMachine
  private var audio = SegmentAudio()
  /// The first frame that no window has covered.
  private var windowFrame: Int64 = 0
  private var tickets: [Int: DecodeQueue.Ticket] = [:]
  private var outbox: [RecognitionResult] = []
  private var isDelivering = false
  private var hasEnded = false
  private var isFinished = false
  private var isCancelled = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Begins to listen.
  /// - Parameters:
  ///   - configuration: What is wanted.
  ///   - language: The language that the texts will be in, if it is known.
  ///   - decoder: The recogniser.
  ///   - queue: Where the recogniser is shared with other sessions.
  ///   - policy: The numbers.
  ///   - makeDetector: Makes the session's own voice detector.
  public init(
    _ configuration: RecognitionConfiguration, language: String?, decoder: any SpeechDecoder, queue: DecodeQueue,
    policy: LivePolicy = LivePolicy(), makeDetector: @Sendable () throws(RecognitionError) -> any VoiceDetector
  ) throws(RecognitionError) {
    self.policy = policy
    self.decoder = decoder
    self.queue = queue
    detector = try makeDetector()
    machine = LiveMachine(policy: policy, wantsPartials: configuration.wantsPartialResults, language: language)
  }

  /// Takes the next chunk, unless the session was finished; waits while too many segments wait for their text.
  public func accept(_ chunk: AudioChunk) async throws(RecognitionError) {
    guard !isCancelled else { throw RecognitionError(.cancelled, "the session was cancelled") }
    guard !isFinished else { return }
    switch chunk {
    case .audio(let block): await hear(block)
    case .gap(let gap): skip(to: gap.frames.upperBound)
    case .notice: break
    }
    await waitForRoom()
  }

  /// Says that no more audio comes.
  public func finish() async {
    guard !isCancelled, !isFinished else { return }
    isFinished = true
    hearTail()
    perform(machine.finish(at: audio.endFrame))
    await deliverAll()
  }

  /// Gives up at once.
  public func cancel() async {
    isCancelled = true
    for ticket in tickets.values { queue.withdraw(ticket) }
    tickets = [:]
    outbox = []
    results.cancel()
    wakeFeeder()
  }

  // MARK: - Audio in

  /// Takes a block in pieces, so that a whole recording in one block is held back like any other.
  private func hear(_ block: PCMBlock) async {
    precondition(block.format == .speech, "a session hears 16,000 Hz mono")
    if block.startFrame > audio.endFrame { skip(to: block.startFrame) }
    var rest = block.samples[...]
    while !rest.isEmpty && !isCancelled {
      audio.append(rest.prefix(LivePolicy.sampleRate))
      rest = rest.dropFirst(LivePolicy.sampleRate)
      hearWindows()
      if !rest.isEmpty { await waitForRoom() }
    }
  }

  private func waitForRoom() async {
    await deliverAll()
    while machine.isOverloaded && !isCancelled {
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  private func hearWindows() {
    let length = Int64(LivePolicy.windowLength)
    while windowFrame + length <= audio.endFrame {
      let samples = audio.slice(windowFrame..<(windowFrame + length))
      hearWindow(samples)
    }
    audio.drop(before: min(windowFrame, machine.firstNeededFrame(at: windowFrame)))
  }

  private func hearWindow(_ samples: [Float]) {
    let power = samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)
    let window = VoiceWindow(startFrame: windowFrame, isSpeech: detector.hearsSpeech(in: samples), power: power)
    windowFrame += Int64(LivePolicy.windowLength)
    perform(machine.take(window))
  }

  /// The last frames fill no window: the detector hears them with silence behind.
  private func hearTail() {
    guard windowFrame < audio.endFrame else { return }
    let tail = audio.slice(windowFrame..<audio.endFrame)
    let silence = [Float](repeating: 0, count: LivePolicy.windowLength - tail.count)
    hearWindow(tail + silence)
  }

  /// The audio goes on at a later frame.
  private func skip(to frame: Int64) {
    hearTail()
    perform(machine.interrupt(at: audio.endFrame, resumingAt: frame))
    detector.reset()
    audio.restart(at: frame)
    windowFrame = frame
  }

  // MARK: - Actions

  private func perform(_ actions: [LiveMachine.Action]) {
    for action in actions {
      switch action {
      case .decode(let request): decode(request)
      case .hurry(let id): tickets[id].map(queue.hurry)
      case .withdraw(let id): tickets.removeValue(forKey: id).map(queue.withdraw)
      case .deliver(let result): outbox.append(result)
      case .end: hasEnded = true
      }
    }
    if !machine.isOverloaded { wakeFeeder() }
  }

  private func decode(_ request: DecodeRequest) {
    let ticket = queue.issueTicket()
    tickets[request.id] = ticket
    let attempts = DecodeAttempts(request: request, policy: policy, samples: audio.slice(request.frames))
    // Owned by the session: it ends with the decode, or at once when the request is withdrawn.
    Task { [queue, decoder] in
      let outcome = await queue.run(request.urgency, ticket: ticket) { attempts.outcome(decoder) }
      guard let outcome else { return }
      await self.take(outcome, of: request.id)
    }
  }

  private func take(_ outcome: DecodeOutcome, of id: Int) async {
    guard !isCancelled else { return }
    tickets[id] = nil
    perform(machine.decoded(id, outcome))
    await deliverAll()
  }

  /// Hands on what waits, in order. While one call waits for the reader, others leave their results to it.
  private func deliverAll() async {
    guard !isDelivering else { return }
    isDelivering = true
    while !outbox.isEmpty {
      await results.send(outbox.removeFirst())
    }
    isDelivering = false
    if hasEnded { results.finish() }
  }

  private func wakeFeeder() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}

extension DecodeAttempts {
  /// Runs the attempts and measures them.
  fileprivate func outcome(_ decoder: any SpeechDecoder) -> DecodeOutcome {
    let clock = ContinuousClock()
    let start = clock.now
    let text = run(decoder.decode)
    return DecodeOutcome(text: text, seconds: (clock.now - start) / .seconds(1))
  }
}
