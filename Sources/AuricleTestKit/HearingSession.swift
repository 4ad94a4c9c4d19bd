import AuricleAudio
import AuricleRecognition

/// A session that hears ``SpokenWords``: an unfinished text with each word, a final with each sentence. Of a second that it
/// did not hear as a whole it has no word.
actor HearingSession: RecognitionSession {
  private static let second = Int64(AudioFormat.speech.sampleRate)

  nonisolated let results = ResultStream()
  private let turn: ScriptedTurn
  private let wantsPartialResults: Bool
  private let cancelled = ScriptGate()
  private var isCancelled = false
  private var isOver = false
  /// What was to happen has happened, and it goes on.
  private var hasTurned = false
  /// How many frames of sound it heard.
  private var heardCount: Int64 = 0
  private var second: [Float] = []
  private var words: [Int] = []
  private var start: Int64 = 0
  private var sentenceIndex = 0
  private var sequence = 0

  init(_ turn: ScriptedTurn, wantsPartialResults: Bool) {
    self.turn = turn
    self.wantsPartialResults = wantsPartialResults
  }

  func accept(_ chunk: AudioChunk) async throws(RecognitionError) {
    if case .isSlow(let pause) = turn { await pause() }
    try check()
    var isWhole = !isOver
    switch chunk {
    case .audio(let block): isWhole = try await hear(block)
    case .gap: second = []
    case .notice: break
    }
    try check()
    if !isWhole { throw RecognitionError(.cancelled, "the session is over") }
  }

  func finish() async {
    if case .hangs(.finish, let gate) = turn { await gate.passForSure() }
    guard !isOver else { return }
    isOver = true
    if !words.isEmpty { await conclude(at: start + Int64(words.count) * Self.second) }
    results.finish()
  }

  func cancel() async {
    if case .hangs(.cancel, let gate) = turn { await gate.passForSure() }
    isCancelled = true
    isOver = true
    cancelled.open()
    results.cancel()
  }

  private func check() throws(RecognitionError) {
    if isCancelled { throw RecognitionError(.cancelled, "the session was cancelled") }
  }

  /// Hears a block.
  /// - Returns: Whether it heard all of it.
  private func hear(_ block: PCMBlock) async throws(RecognitionError) -> Bool {
    var (frame, samples) = (block.startFrame, block.samples[...])
    while !samples.isEmpty, !isOver {
      let room = min(Self.second - frame % Self.second, leftFrameCount)
      guard room > 0 else {
        try await turnUp(at: frame)
        continue
      }
      let piece = samples.prefix(Int(room))
      samples = samples.dropFirst(piece.count)
      heardCount += Int64(piece.count)
      await hear(piece, at: frame)
      frame += Int64(piece.count)
    }
    // What was to happen at that frame happens there, and not with the next block.
    if leftFrameCount == 0, !isOver { try await turnUp(at: frame) }
    return samples.isEmpty
  }

  /// How many frames it hears before something happens.
  private var leftFrameCount: Int64 {
    guard !hasTurned, let count = turn.frameCount else { return .max }
    return max(0, count - heardCount)
  }

  private func hear(_ piece: ArraySlice<Float>, at frame: Int64) async {
    if frame % Self.second == 0 { second = [] }
    guard second.count == Int(frame % Self.second) else { return }
    second += piece
    let end = frame + Int64(piece.count)
    guard second.count == Int(Self.second), let word = SpokenWords.word(second) else { return }
    if words.isEmpty { start = end - Self.second }
    words.append(word.number)
    if word.isLast { await conclude(at: end) } else { await deliver(SpokenWords.unfinished(words), at: end) }
  }

  private func turnUp(at frame: Int64) async throws(RecognitionError) {
    switch turn {
    case .works, .failsToStart, .hangsAtStart, .startsBehind, .isSlow: break
    case .dies(let kind, _):
      isOver = true
      await results.send(.error(RecognitionError(kind, "the script says so")))
      results.finish()
    case .ends:
      isOver = true
      results.finish()
    case .hangs(_, let gate):
      hasTurned = true
      await gate.passForSure()
    case .refuses(let kind, _): throw RecognitionError(kind, "the script says so")
    case .waits(let gate, _):
      hasTurned = true
      await ScriptGate.pass(gate, or: cancelled)
    case .talksNonsense:
      hasTurned = true
      let span = TimeSpan(frames: frame + 900 * Self.second..<frame + 901 * Self.second, sampleRate: 16_000)
      await results.send(
        .transcript(
          Transcript(
            sentenceIndex: .max, text: "nonsense", stablePrefix: "nonsense", isSentenceFinal: true, span: span,
            languageCode: "xx", sequence: .max)))
    }
  }

  private func conclude(at end: Int64) async {
    let text = SpokenWords.sentence(words)
    await send(text, stable: text, isFinal: true, end: end)
    words = []
    sentenceIndex += 1
  }

  private func deliver(_ text: String, at end: Int64) async {
    guard wantsPartialResults else { return }
    await send(text, stable: SpokenWords.unfinished(words.dropLast()), isFinal: false, end: end)
  }

  private func send(_ text: String, stable: String, isFinal: Bool, end: Int64) async {
    let transcript = Transcript(
      sentenceIndex: sentenceIndex, text: text, stablePrefix: stable, isSentenceFinal: isFinal,
      span: TimeSpan(frames: start..<end, sampleRate: 16_000), languageCode: "en", sequence: sequence)
    sequence += 1
    await results.send(.transcript(transcript))
  }
}
