import AuricleLive
import AuricleRecognition

/// Live transcription with a streaming model as a value: hypotheses in, results out.
///
/// It knows no clock: all times are frames of the stream.
struct StreamingMachine: Sendable {
  /// A sentence that is being said.
  private struct Sentence: Sendable {
    let startFrame: Int64
    var text: String
    /// How far had been heard when the text last changed.
    var changeFrame: Int64
    var prefix: StablePrefix
  }

  private let wantsPartials: Bool
  private let language: String?
  private var sentence: Sentence?
  private var nextIndex = 0
  private var nextSequence = 0
  /// Where the last sentence ended; the next one does not begin before it.
  private var lastEnd: Int64 = 0

  /// Creates a machine at the start of a stream.
  init(wantsPartials: Bool, language: String?) {
    self.wantsPartials = wantsPartials
    self.language = language
  }

  /// The model has heard another step.
  /// - Parameter stretch: The frames from where the model began to listen to where it has listened.
  mutating func heard(_ hypothesis: StreamingHypothesis, _ stretch: Range<Int64>) -> [RecognitionResult] {
    var results: [RecognitionResult] = []
    if !hypothesis.text.isEmpty && hypothesis.text != sentence?.text {
      if sentence == nil { results.append(open(hypothesis, stretch)) }
      sentence?.text = hypothesis.text
      sentence?.changeFrame = stretch.upperBound
      // A text that ends its sentence is delivered once, as the final one.
      if wantsPartials && !hypothesis.isEnd { results += partial() }
    }
    return hypothesis.isEnd ? results + close() : results
  }

  private mutating func open(_ hypothesis: StreamingHypothesis, _ stretch: Range<Int64>) -> RecognitionResult {
    let told = hypothesis.startSeconds.map { stretch.lowerBound + Int64($0 * Double(LivePolicy.sampleRate)) }
    let first = told ?? stretch.upperBound - Int64(StreamingPolicy.stepLength)
    let start = min(max(first, stretch.lowerBound, lastEnd), stretch.upperBound - 1)
    var policy = LivePolicy()
    policy.heldBackWords = StreamingPolicy.heldBackWords
    policy.agreeingPartials = StreamingPolicy.agreeingPartials
    sentence = Sentence(
      startFrame: start, text: "", changeFrame: stretch.upperBound, prefix: StablePrefix(policy: policy))
    return .event(SessionEvent(.speechStarted, time: seconds(start)))
  }

  private mutating func partial() -> [RecognitionResult] {
    guard let whole = sentence?.text, let (text, stablePrefix) = sentence?.prefix.take(whole) else { return [] }
    return deliver(text, stablePrefix, isFinal: false)
  }

  private mutating func close() -> [RecognitionResult] {
    guard let closed = sentence else { return [] }
    let text = closed.prefix.final(closed.text)
    let final = deliver(text, text, isFinal: true)
    lastEnd = closed.changeFrame
    nextIndex += 1
    sentence = nil
    return [.event(SessionEvent(.speechEnded, time: seconds(lastEnd)))] + final
  }

  private mutating func deliver(_ text: String, _ stablePrefix: String, isFinal: Bool) -> [RecognitionResult] {
    guard let sentence else { return [] }
    defer { nextSequence += 1 }
    let span = TimeSpan(frames: sentence.startFrame..<sentence.changeFrame, sampleRate: LivePolicy.sampleRate)
    return [
      .transcript(
        Transcript(
          sentenceIndex: nextIndex, text: text, stablePrefix: stablePrefix, isSentenceFinal: isFinal, span: span,
          languageCode: language, sequence: nextSequence))
    ]
  }

  private func seconds(_ frame: Int64) -> Double { Double(frame) / Double(LivePolicy.sampleRate) }
}
