import AuricleRecognition

/// Live transcription as a value: windows and decoded texts in, requests and results out.
///
/// It knows no clock: all times are frames of the stream. The final texts depend on the audio alone, not on when anything
/// arrives, but for words that were promised and that the last decode contradicts: those stay.
package struct LiveMachine: Sendable {
  /// What the driver is to do, in this order.
  package enum Action: Sendable, Equatable {
    /// Decode; answer with ``LiveMachine/decoded(_:_:)``.
    case decode(DecodeRequest)
    /// Serve a waiting request before those of less urgency, as a final one.
    case hurry(Int)
    /// Forget a request if it still waits; its answer, should it come, is ignored.
    case withdraw(Int)
    /// Deliver to whoever listens.
    case deliver(RecognitionResult)
    /// Nothing more will come.
    case end
  }

  private let policy: LivePolicy
  private let wantsPartials: Bool
  private let language: String?
  private var segmenter: SpeechSegmenter
  /// Sentences without a final text, oldest first; only the last one can still be open.
  private var sentences: [Sentence] = []
  private var nextRequestID = 0
  private var nextSequence = 0
  private var hasEnded = false

  /// Creates a machine at the start of a stream.
  package init(policy: LivePolicy = LivePolicy(), wantsPartials: Bool, language: String?) {
    self.policy = policy
    self.wantsPartials = wantsPartials
    self.language = language
    segmenter = SpeechSegmenter(policy: policy)
  }

  /// Whether more segments wait for their text than a session should hold.
  package var isOverloaded: Bool { sentences.count > policy.maximumPendingSegments }

  /// The first frame whose audio is still needed for a later request, given that `frame` is the next to arrive.
  package func firstNeededFrame(at frame: Int64) -> Int64 { segmenter.firstNeededFrame(at: frame) }

  /// Takes the next window. Windows behind the end are late and ignored.
  package mutating func take(_ window: VoiceWindow) -> [Action] {
    guard !hasEnded else { return [] }
    return segmenter.take(window).flatMap { perform($0, at: window.endFrame, hearing: window) }
  }

  /// The stream has a hole: what is open is over, and the windows go on at `resumeFrame`.
  package mutating func interrupt(at frame: Int64, resumingAt resumeFrame: Int64) -> [Action] {
    segmenter.interrupt(at: frame, resumingAt: resumeFrame).flatMap { perform($0, at: frame, hearing: nil) }
  }

  /// The stream has ended. Repeated calls are ignored.
  package mutating func finish(at frame: Int64) -> [Action] {
    guard !hasEnded else { return [] }
    let actions = interrupt(at: frame, resumingAt: frame)
    hasEnded = true
    return sentences.isEmpty ? actions + [.end] : actions
  }

  /// A request has its answer. Answers to requests that nobody waits for any more are ignored.
  package mutating func decoded(_ id: Int, _ outcome: DecodeOutcome) -> [Action] {
    if let index = sentences.firstIndex(where: { $0.completeID == id }) {
      return decodedWhole(index, outcome)
    }
    guard let index = sentences.firstIndex(where: { $0.partialID == id }) else { return [] }
    return decodedPartial(index, outcome)
  }

  /// A request could not be decoded. For a whole segment that is told, and its words are missing; a partial is let go.
  package mutating func failed(_ id: Int, _ error: RecognitionError) -> [Action] {
    let isWhole = sentences.contains { $0.completeID == id }
    return (isWhole ? [.deliver(.error(error))] : []) + decoded(id, DecodeOutcome(text: "", seconds: 0))
  }

  // MARK: - What the segmenter says

  private mutating func perform(_ action: SpeechSegmenter.Action, at frame: Int64, hearing window: VoiceWindow?)
    -> [Action]
  {
    switch action {
    case .opened(let segment):
      sentences.append(Sentence(segment, policy: policy))
      return [.deliver(.event(SessionEvent(.speechStarted, time: seconds(segment.onsetFrame))))]
    case .extended(let segment):
      sentences[sentences.count - 1].segment = segment
      return window.map { extend(with: $0, at: frame) } ?? []
    case .paused(let segment, let endFrame):
      return pause(segment, endFrame: endFrame)
    case .resumed(let segment):
      return resume(segment)
    case .closed(let segment, let endFrame):
      return close(segment, endFrame: endFrame)
    }
  }

  private mutating func pause(_ segment: SpeechSegment, endFrame: Int64) -> [Action] {
    let last = sentences.count - 1
    sentences[last].segment = segment
    let stale = sentences[last].partialID.map { [Action.withdraw($0)] } ?? []
    sentences[last].partialID = nil
    let request = makeRequest(.complete, segment, endFrame: endFrame)
    sentences[last].completeID = request.id
    return stale + [.decode(request)]
  }

  private mutating func resume(_ segment: SpeechSegment) -> [Action] {
    let last = sentences.count - 1
    sentences[last].segment = segment
    let stale = sentences[last].completeID
    sentences[last].completeID = nil
    sentences[last].wholeText = nil
    return stale.map { [.withdraw($0)] } ?? []
  }

  private mutating func close(_ segment: SpeechSegment, endFrame: Int64) -> [Action] {
    let last = sentences.count - 1
    sentences[last].segment = segment
    sentences[last].endFrame = endFrame
    let ended = Action.deliver(.event(SessionEvent(.speechEnded, time: seconds(segment.speechEndFrame))))
    if sentences[last].wholeText != nil { return [ended] + settle() }
    if let waiting = sentences[last].completeID { return [ended, .hurry(waiting)] }
    let stale = sentences[last].partialID.map { [Action.withdraw($0)] } ?? []
    sentences[last].partialID = nil
    let request = makeRequest(.final, segment, endFrame: endFrame)
    sentences[last].completeID = request.id
    return [ended] + stale + [.decode(request)]
  }

  private mutating func extend(with window: VoiceWindow, at frame: Int64) -> [Action] {
    let last = sentences.count - 1
    let quietWindows = sentences[last].loudness.quietWindows(upTo: window, policy)
    if quietWindows >= policy.quietWindows || !window.isSpeech { return pausePartial(at: frame) }
    return quietWindows == 0 ? partial(at: frame) : []
  }

  /// Asks for a partial when one is due.
  private mutating func partial(at frame: Int64) -> [Action] {
    let sentence = sentences[sentences.count - 1]
    sentences[sentences.count - 1].hasPausePartial = false
    guard wantsPartials, sentence.partialID == nil, frame >= sentence.nextPartialFrame else { return [] }
    return requestPartial(at: frame)
  }

  /// Asks for a partial as soon as speech stops: its text is likely to be the final one.
  private mutating func pausePartial(at frame: Int64) -> [Action] {
    let sentence = sentences[sentences.count - 1]
    let isSpaced = frame - sentence.partialEndFrame >= policy.frames(policy.pausePartialSpacing)
    guard wantsPartials, !sentence.hasPausePartial, isSpaced else { return [] }
    sentences[sentences.count - 1].hasPausePartial = true
    return (sentence.partialID.map { [.withdraw($0)] } ?? []) + requestPartial(at: frame)
  }

  private mutating func requestPartial(at frame: Int64) -> [Action] {
    let last = sentences.count - 1
    let sentence = sentences[last]
    let urgency = sentence.shown == nil ? DecodeRequest.Urgency.firstPartial : .partial
    let request = makeRequest(urgency, sentence.segment, endFrame: frame)
    sentences[last].partialID = request.id
    sentences[last].partialEndFrame = frame
    return [.decode(request)]
  }

  private mutating func makeRequest(
    _ urgency: DecodeRequest.Urgency, _ segment: SpeechSegment, endFrame: Int64
  ) -> DecodeRequest {
    defer { nextRequestID += 1 }
    return DecodeRequest(
      id: nextRequestID, urgency: urgency, frames: segment.startFrame..<max(endFrame, segment.startFrame),
      onsetFrame: segment.onsetFrame, speechFrameCount: segment.speechFrameCount,
      trailingFrameCount: max(0, endFrame - segment.speechEndFrame))
  }

  // MARK: - What the recogniser says

  private mutating func decodedWhole(_ index: Int, _ outcome: DecodeOutcome) -> [Action] {
    sentences[index].wholeText = outcome.text
    sentences[index].completeID = nil
    if sentences[index].endFrame != nil { return settle() }
    guard wantsPartials, !outcome.text.isEmpty else { return [] }
    return [show(index, outcome.text, endFrame: sentences[index].segment.speechEndFrame)]
  }

  private mutating func decodedPartial(_ index: Int, _ outcome: DecodeOutcome) -> [Action] {
    let endFrame = sentences[index].partialEndFrame
    sentences[index].partialID = nil
    let pause = max(policy.partialInterval, policy.partialCostFactor * outcome.seconds)
    sentences[index].nextPartialFrame = endFrame + policy.frames(pause)
    let length = Double(endFrame - sentences[index].segment.startFrame) / Double(LivePolicy.sampleRate)
    guard !outcome.text.isEmpty, TextGuard.accepts(outcome.text, seconds: length) else { return [] }
    return [
      show(index, outcome.text, endFrame: endFrame, hides: sentences[index].hasPausePartial ? 0 : policy.hiddenWords)
    ]
  }

  /// - Parameter hides: So many words at the end may have been cut in the middle, and are not shown.
  private mutating func show(_ index: Int, _ text: String, endFrame: Int64, hides: Int = 0) -> Action {
    let (whole, stablePrefix) = sentences[index].prefix.take(text)
    let wordCount = Words.normalized(whole).count
    let shown = StablePrefix.prefix(
      of: whole, wordCount: max(wordCount - hides, min(wordCount, 2), sentences[index].prefix.promised.count))
    sentences[index].shown = shown
    return deliver(
      sentences[index].segment, shown, stablePrefix: stablePrefix, isFinal: false, endFrame: endFrame)
  }

  /// Delivers the final texts that are there, in the order of their start.
  private mutating func settle() -> [Action] {
    var actions: [Action] = []
    while let first = sentences.first, first.endFrame != nil, let text = first.wholeText {
      sentences.removeFirst()
      actions += finalResults(first, text)
    }
    return hasEnded && sentences.isEmpty ? actions + [.end] : actions
  }

  private mutating func finalResults(_ sentence: Sentence, _ decoded: String) -> [Action] {
    // A text that was shown and not promised is no fallback: it depends on when it was decoded.
    let text = sentence.prefix.final(decoded)
    let segment = sentence.segment
    guard !text.isEmpty else { return [event(.speechWithoutText, segment)] }
    let final = deliver(segment, text, stablePrefix: text, isFinal: true, endFrame: segment.speechEndFrame)
    return sentence.prefix.isContradicted(by: decoded) ? [event(.promiseContradicted, segment), final] : [final]
  }

  private func event(_ kind: SessionEvent.Kind, _ segment: SpeechSegment) -> Action {
    let details = [
      "sentenceIndex": "\(segment.index)", "start": "\(seconds(segment.onsetFrame))",
      "end": "\(seconds(segment.speechEndFrame))",
    ]
    return .deliver(.event(SessionEvent(kind, time: seconds(segment.onsetFrame), details: details)))
  }

  private mutating func deliver(
    _ segment: SpeechSegment, _ text: String, stablePrefix: String, isFinal: Bool, endFrame: Int64
  ) -> Action {
    defer { nextSequence += 1 }
    let end = max(endFrame, segment.onsetFrame + 1)
    return .deliver(
      .transcript(
        Transcript(
          sentenceIndex: segment.index, text: text, stablePrefix: stablePrefix, isSentenceFinal: isFinal,
          span: TimeSpan(frames: segment.onsetFrame..<end, sampleRate: LivePolicy.sampleRate),
          languageCode: language, sequence: nextSequence)))
  }

  private func seconds(_ frame: Int64) -> Double { Double(frame) / Double(LivePolicy.sampleRate) }
}

/// A sentence on its way to its final text.
private struct Sentence: Sendable {
  var segment: SpeechSegment
  var prefix: StablePrefix
  /// Where the audio ends, once it has.
  var endFrame: Int64?
  /// The request for the whole segment that is under way.
  var completeID: Int?
  /// The text of the whole segment, once decoded; empty when it has no words.
  var wholeText: String?
  /// The request for a partial that is under way, and how far it hears.
  var partialID: Int?
  var partialEndFrame: Int64 = 0
  var nextPartialFrame: Int64
  /// Whether the newest partial was asked for when speech stopped.
  var hasPausePartial = false
  /// How loud it was so far, and whether it is quiet now.
  var loudness = Loudness()
  /// The text that was last shown.
  var shown: String?

  init(_ segment: SpeechSegment, policy: LivePolicy) {
    self.segment = segment
    prefix = StablePrefix(policy: policy)
    nextPartialFrame = segment.onsetFrame + policy.frames(policy.firstPartialAfter)
  }
}

/// Notices by the level that nobody speaks, a little before the voice detector does.
private struct Loudness: Sendable {
  private var peak: Float = 0
  private var quietCount = 0

  /// How many windows in a row, this one the last, are much quieter than the loudest of the sentence.
  mutating func quietWindows(upTo window: VoiceWindow, _ policy: LivePolicy) -> Int {
    peak = max(peak, window.power)
    quietCount = window.power < peak * policy.quietPower ? quietCount + 1 : 0
    return quietCount
  }
}
