import AuricleAudio
import AuricleLive
import AuricleRecognition

/// Listens live with a streaming model: feeds it step by step and drives a ``StreamingMachine``.
actor StreamingSession: RecognitionSession {
  /// Everything that the session delivers.
  nonisolated let results = ResultStream()

  private let stream: OnlineStream
  private let queue: DecodeQueue
  private var machine: StreamingMachine
  private var feed = StreamingFeed()
  /// Steps that the model has not been given.
  private var pending: [StreamingFeed.Step] = []
  /// The request that is under way, until its results are delivered.
  private var ticket: DecodeQueue.Ticket?
  private var isFinished = false
  private var isCancelled = false
  /// Why the engine cannot go on.
  private var failure: RecognitionError?
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Begins to listen.
  init(_ configuration: RecognitionConfiguration, language: String?, stream: OnlineStream, queue: DecodeQueue) {
    self.stream = stream
    self.queue = queue
    machine = StreamingMachine(wantsPartials: configuration.wantsPartialResults, language: language)
  }

  deinit { results.finish() }

  /// Takes the next chunk; waits while the model is too far behind.
  /// - Throws: `RecognitionError` of kind `cancelled`; `failed` once the engine has; `invalidParameter` for audio that is
  ///   not 16,000 Hz mono or does not follow on from what came before.
  func accept(_ chunk: AudioChunk) async throws(RecognitionError) {
    try refuseWhenOver()
    // Audio behind the end is late and ignored.
    guard !isFinished else { return }
    let intake = try SpeechIntake(chunk, after: feed.endFrame)
    if let frame = intake.resumeFrame { add(feed.interrupt(resumingAt: frame)) }
    await hear(intake.samples)
    await waitForRoom()
    try refuseWhenOver()
  }

  /// Says that no more audio comes.
  func finish() {
    guard !isFinished, !isCancelled else { return }
    isFinished = true
    wakeFeeder()
    add(feed.interrupt(resumingAt: feed.endFrame))
  }

  /// Gives up at once.
  func cancel() {
    isCancelled = true
    pending = []
    ticket.map(queue.withdraw)
    results.cancel()
    wakeFeeder()
  }

  private func refuseWhenOver() throws(RecognitionError) {
    if let failure { throw failure }
    if isCancelled { throw RecognitionError(.cancelled, "the session was cancelled") }
  }

  private var isOver: Bool { isCancelled || isFinished || failure != nil }

  /// Takes a block in pieces, so that a whole recording in one block is held back like any other.
  private func hear(_ samples: [Float]) async {
    var rest = samples[...]
    while !rest.isEmpty && !isOver {
      add(feed.take(rest.prefix(LivePolicy.sampleRate)))
      rest = rest.dropFirst(LivePolicy.sampleRate)
      if !rest.isEmpty { await waitForRoom() }
    }
  }

  private func waitForRoom() async {
    while pending.count > StreamingPolicy.maximumPendingSteps && !isOver {
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  private func wakeFeeder() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  private func add(_ steps: [StreamingFeed.Step]) {
    pending += steps
    work()
  }

  /// Gives the model what waits, when it has done what it was given.
  private func work() {
    guard ticket == nil, !isCancelled, failure == nil else { return }
    guard !pending.isEmpty else {
      if isFinished { results.finish() }
      return
    }
    let steps = Array(pending.prefix(StreamingPolicy.stepsInOneGo))
    pending.removeFirst(steps.count)
    ticket = queue.submit(.complete) { [stream] in
      Result { () throws(RecognitionError) in try stream.perform(steps.map(\.work)) }
    } completion: { hypotheses in
      // Owned by the session: it only brings the answer back.
      Task { await self.take(hypotheses ?? .success([]), of: steps) }
    }
  }

  private func take(
    _ outcome: Result<[StreamingHypothesis], RecognitionError>, of steps: [StreamingFeed.Step]
  ) async {
    switch outcome {
    case .failure(let error): await fail(error)
    case .success(let hypotheses): await deliver(hypotheses, of: steps)
    }
    ticket = nil
    if pending.count <= StreamingPolicy.maximumPendingSteps { wakeFeeder() }
    work()
  }

  private func deliver(_ hypotheses: [StreamingHypothesis], of steps: [StreamingFeed.Step]) async {
    for (hypothesis, step) in zip(hypotheses, steps) {
      for result in machine.heard(hypothesis, step.stretch) where !isCancelled { await results.send(result) }
    }
  }

  /// The engine understands nothing any more: that is told, and the session ends.
  private func fail(_ error: RecognitionError) async {
    failure = error
    pending = []
    wakeFeeder()
    await results.send(.error(error))
    results.finish()
  }
}
