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
    switch chunk {
    case .audio(let block):
      guard block.format == .speech else { throw Self.refusal("audio of another format than 16,000 Hz mono") }
      try skip(to: block.startFrame)
      await hear(block)
    case .gap(let gap):
      guard gap.sampleRate == LivePolicy.sampleRate else { throw Self.refusal("a gap of another rate than 16,000 Hz") }
      try skip(to: gap.frames.upperBound)
    case .notice: break
    }
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

  private static func refusal(_ what: String) -> RecognitionError {
    RecognitionError(.invalidParameter, "a session cannot take \(what)")
  }

  private var isOver: Bool { isCancelled || isFinished || failure != nil }

  /// The audio goes on at a later frame; the same one is no gap.
  private func skip(to frame: Int64) throws(RecognitionError) {
    guard frame != feed.endFrame else { return }
    guard frame > feed.endFrame else { throw Self.refusal("frame \(frame) again, after \(feed.endFrame)") }
    add(feed.interrupt(resumingAt: frame))
  }

  /// Takes a block in pieces, so that a whole recording in one block is held back like any other.
  private func hear(_ block: PCMBlock) async {
    var rest = block.samples[...]
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
