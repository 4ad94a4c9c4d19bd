import AuricleAudio
import AuricleRecognition
import Foundation

/// Listens live with a model that decodes whole segments: drives a `LiveMachine`.
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

  deinit { results.finish() }

  /// Takes the next chunk, unless the session was finished; waits while too many segments wait for their text, or too
  /// many results for the reader.
  /// - Throws: `RecognitionError` of kind `cancelled`, and `invalidParameter` for audio that is not 16,000 Hz mono or does
  ///   not follow on from what came before.
  public func accept(_ chunk: AudioChunk) async throws(RecognitionError) {
    try refuseWhenCancelled()
    guard !isFinished else { return }
    let intake = try SpeechIntake(chunk, after: audio.endFrame)
    if let frame = intake.resumeFrame { skip(to: frame) }
    await hear(intake.samples)
    await waitForRoom()
    try refuseWhenCancelled()
  }

  /// Says that no more audio comes.
  public func finish() async {
    guard !isCancelled, !isFinished else { return }
    isFinished = true
    wakeFeeder()
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

  private func refuseWhenCancelled() throws(RecognitionError) {
    if isCancelled { throw RecognitionError(.cancelled, "the session was cancelled") }
  }

  // MARK: - Audio in

  private var isOver: Bool { isCancelled || isFinished }

  /// Takes a block in pieces, so that a whole recording in one block is held back like any other.
  private func hear(_ samples: [Float]) async {
    var rest = samples[...]
    while !rest.isEmpty && !isOver {
      audio.append(rest.prefix(LivePolicy.sampleRate))
      rest = rest.dropFirst(LivePolicy.sampleRate)
      hearWindows()
      if !rest.isEmpty { await waitForRoom() }
    }
  }

  private var isFull: Bool { machine.isOverloaded || outbox.count > policy.maximumPendingResults }

  private func waitForRoom() async {
    await deliverAll()
    while isFull && !isOver {
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
      case .deliver(let result): post(result)
      case .end: hasEnded = true
      }
    }
    if !isFull { wakeFeeder() }
  }

  /// Puts a result in line; a newer text of an unfinished sentence takes the place of an older one that still waits.
  private func post(_ result: RecognitionResult) {
    if case .transcript(let newer) = result, !newer.isSentenceFinal, case .transcript(let older) = outbox.last,
      !older.isSentenceFinal, older.sentenceIndex == newer.sentenceIndex
    {
      outbox.removeLast()
    }
    outbox.append(result)
  }

  private func decode(_ request: DecodeRequest) {
    let attempts = DecodeAttempts(request: request, policy: policy, samples: audio.slice(request.frames))
    tickets[request.id] = queue.submit(request.urgency) { [decoder] in
      attempts.outcome(decoder)
    } completion: { outcome in
      guard let outcome else { return }
      // Owned by the session: it only brings the answer back.
      Task { await self.take(outcome, of: request.id) }
    }
  }

  private func take(_ outcome: Result<DecodeOutcome, RecognitionError>, of id: Int) async {
    guard !isCancelled else { return }
    tickets[id] = nil
    switch outcome {
    case .success(let outcome): perform(machine.decoded(id, outcome))
    case .failure(let error): perform(machine.failed(id, error))
    }
    await deliverAll()
  }

  /// Hands on what waits, in order. While one call waits for the reader, others leave their results to it.
  private func deliverAll() async {
    guard !isDelivering else { return }
    isDelivering = true
    while !outbox.isEmpty {
      await results.send(outbox.removeFirst())
      if !isFull { wakeFeeder() }
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
  fileprivate func outcome(_ decoder: any SpeechDecoder) -> Result<DecodeOutcome, RecognitionError> {
    let clock = ContinuousClock()
    let start = clock.now
    return Result { () throws(RecognitionError) in
      DecodeOutcome(text: try run(decoder.decode), seconds: (clock.now - start) / .seconds(1))
    }
  }
}
