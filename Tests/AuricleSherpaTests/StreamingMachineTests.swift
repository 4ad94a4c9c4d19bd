import AuricleRecognition
import Testing

@testable import AuricleSherpa

@Suite("Streaming hypotheses become transcripts")
struct StreamingMachineTests {
  private var machine = StreamingMachine(wantsPartials: true, language: "en")

  private func hypothesis(_ text: String, start: Double? = nil, isEnd: Bool = false) -> StreamingHypothesis {
    StreamingHypothesis(text: text, startSeconds: start, isEnd: isEnd)
  }

  @Test("A text grows, is promised word by word, and becomes final at the end")
  mutating func sentence() {
    var seen: [Transcript] = []
    let texts = ["", "ask", "ask not", "ask not", "ask not what", "ask not what your"]
    for (step, text) in texts.enumerated() {
      seen += transcripts(machine.heard(hypothesis(text, start: 0.15), 0..<Int64(step + 1) * 1_600))
    }
    seen += transcripts(machine.heard(hypothesis("ask not what your", isEnd: true), 0..<16_000))
    #expect(seen.map(\.text) == ["ask", "ask not", "ask not what", "ask not what your", "ask not what your"])
    #expect(seen.map(\.stablePrefix) == ["", "", "ask", "ask not", "ask not what your"])
    #expect(seen.map(\.isSentenceFinal) == [false, false, false, false, true])
    #expect(seen.allSatisfy { $0.span.frames.lowerBound == 2_400 && $0.sentenceIndex == 0 })
    #expect(seen.last?.span.frames.upperBound == 9_600, "the silence at the end is not part of it")
    #expect(seen.map(\.sequence) == [0, 1, 2, 3, 4])
  }

  @Test("Sentences are numbered, in order, and do not overlap")
  mutating func sentences() {
    var seen: [Transcript] = []
    for (text, start, end, isEnd) in [
      ("a", 0.2, 8_000, true), ("", nil, 16_000, true), ("b", 0.1, 24_000, false), ("b c", 0.1, 32_000, true),
      ("d", 99, 33_600, true), ("e", nil, 33_600, true),
    ] as [(String, Double?, Int64, Bool)] {
      seen += transcripts(machine.heard(hypothesis(text, start: start, isEnd: isEnd), 0..<end))
    }
    let finals = seen.filter(\.isSentenceFinal)
    #expect(finals.map(\.text) == ["a", "b c", "d", "e"])
    #expect(finals.map(\.sentenceIndex) == [0, 1, 2, 3])
    #expect(finals.map(\.span.frames) == [3_200..<8_000, 8_000..<32_000, 33_599..<33_600, 33_599..<33_600])
  }

  @Test("Behind a gap all times count from where the audio goes on")
  mutating func gap() {
    let results = machine.heard(hypothesis("a", start: 0.5, isEnd: true), 160_000..<176_000)
    #expect(transcripts(results).map(\.span.frames) == [168_000..<176_000])
    let untimed = machine.heard(hypothesis("b", isEnd: true), 320_000..<320_100)
    #expect(transcripts(untimed).map(\.span.frames) == [320_000..<320_100])
  }

  @Test("Without a wish for partials only finals come")
  func noPartials() {
    var quiet = StreamingMachine(wantsPartials: false, language: nil)
    var seen = transcripts(quiet.heard(hypothesis("a b"), 0..<1_600))
    seen += transcripts(quiet.heard(hypothesis("a b c", isEnd: true), 0..<3_200))
    #expect(seen.map(\.text) == ["a b c"])
  }

  @Test("A promise is kept even if the model takes it back")
  mutating func promise() {
    for text in ["one two three", "one two three four"] { _ = machine.heard(hypothesis(text), 0..<1_600) }
    let last = transcripts(machine.heard(hypothesis("won two three", isEnd: true), 0..<3_200)).last
    #expect(last?.text.hasPrefix("one two") == true)
    #expect(last?.stablePrefix == last?.text)
  }

  @Test("The sentence's begin is found in the engine's JSON, valid or not")
  func sentenceStart() {
    let json = #"{"text": "\"start_time\": 9", "start_time": 12.50, "timestamps": []}"#
    #expect(StreamingHypothesis.sentenceStart(json: json) == 12.5)
    #expect(StreamingHypothesis.sentenceStart(json: #"{"start_time":3"#) == 3)
    #expect(StreamingHypothesis.sentenceStart(json: "{}") == nil)
    #expect(StreamingHypothesis.sentenceStart(json: #"{"start_time": x}"#) == nil)
  }
}

@Suite("Audio becomes steps")
struct StreamingFeedTests {
  private let samples = (0..<10_000).map { Float($0) }

  private func steps(_ size: Int) -> [StreamingFeed.Step] {
    var feed = StreamingFeed()
    var steps: [StreamingFeed.Step] = []
    for start in stride(from: 0, to: samples.count, by: size) {
      steps += feed.take(samples[start..<min(start + size, samples.count)])
    }
    return steps + feed.interrupt(resumingAt: 20_000)
  }

  @Test("The same steps, whatever the blocks", arguments: [1, 7, 160, 480, 4_096, 10_000])
  func blocks(_ size: Int) {
    let whole = steps(10_000)
    #expect(steps(size) == whole)
    #expect(whole.map(\.stretch.upperBound) == [1_600, 3_200, 4_800, 6_400, 8_000, 9_600, 10_000, 10_000])
    #expect(whole.last?.work == .flush)
    let heard = whole.flatMap { step -> [Float] in if case .hear(let samples) = step.work { samples } else { [] } }
    #expect(heard == samples, "no sample is lost or heard twice")
  }

  @Test("Behind a gap the numbering goes on; where nothing was heard nothing is flushed")
  func gap() {
    var feed = StreamingFeed()
    #expect(feed.interrupt(resumingAt: 500).isEmpty)
    #expect(feed.endFrame == 500)
    let steps = feed.take(samples.prefix(1_600)) + feed.interrupt(resumingAt: 9_000)
    #expect(steps.map(\.stretch) == [500..<2_100, 500..<2_100])
    #expect(feed.interrupt(resumingAt: 9_000).isEmpty)
  }
}
