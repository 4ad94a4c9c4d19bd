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
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Begins to listen.
  init(_ configuration: RecognitionConfiguration, language: String?, stream: OnlineStream, queue: DecodeQueue) {
    self.stream = stream
    self.queue = queue
    machine = StreamingMachine(wantsPartials: configuration.wantsPartialResults, language: language)
  }

  /// Takes the next chunk; waits while the model is too far behind.
  func accept(_ chunk: AudioChunk) async throws(RecognitionError) {
    try refuseWhenCancelled()
    // Audio behind the end is late and ignored.
    guard !isFinished else { return }
    switch chunk {
    case .audio(let block): await hear(block)
    case .gap(let gap): add(feed.interrupt(resumingAt: gap.frames.upperBound))
    case .notice: break
    }
    await waitForRoom()
    try refuseWhenCancelled()
  }

  /// Says that no more audio comes.
  func finish() {
    guard !isFinished, !isCancelled else { return }
    isFinished = true
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

  private func refuseWhenCancelled() throws(RecognitionError) {
    if isCancelled { throw RecognitionError(.cancelled, "the session was cancelled") }
  }

  /// Takes a block in pieces, so that a whole recording in one block is held back like any other.
  private func hear(_ block: PCMBlock) async {
    precondition(block.format == .speech, "a session hears 16,000 Hz mono")
    if block.startFrame > feed.endFrame { add(feed.interrupt(resumingAt: block.startFrame)) }
    var rest = block.samples[...]
    while !rest.isEmpty && !isCancelled {
      add(feed.take(rest.prefix(LivePolicy.sampleRate)))
      rest = rest.dropFirst(LivePolicy.sampleRate)
      if !rest.isEmpty { await waitForRoom() }
    }
  }

  private func waitForRoom() async {
    while pending.count > StreamingPolicy.maximumPendingSteps && !isCancelled {
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
    guard ticket == nil, !isCancelled else { return }
    guard !pending.isEmpty else {
      if isFinished { results.finish() }
      return
    }
    let steps = Array(pending.prefix(StreamingPolicy.stepsInOneGo))
    pending.removeFirst(steps.count)
    let issued = queue.issueTicket()
    ticket = issued
    // Owned by the session: it ends with the decode, or at once when the request is withdrawn.
    Task { [queue, stream] in
      let hypotheses = await queue.run(.complete, ticket: issued) { stream.perform(steps.map(\.work)) }
      await self.take(hypotheses ?? [], of: steps)
    }
  }

  private func take(_ hypotheses: [StreamingHypothesis], of steps: [StreamingFeed.Step]) async {
    for (hypothesis, step) in zip(hypotheses, steps) {
      for result in machine.heard(hypothesis, step.stretch) where !isCancelled { await results.send(result) }
    }
    ticket = nil
    if pending.count <= StreamingPolicy.maximumPendingSteps { wakeFeeder() }
    work()
  }
}
