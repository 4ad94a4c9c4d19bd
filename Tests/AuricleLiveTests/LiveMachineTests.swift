import AuricleRecognition
import Testing

@testable import AuricleLive

@Suite("Live transcription as a value")
struct LiveMachineTests {
  /// A recogniser without time: answers in any order, late, or never while it may.
  private struct Script {
    var machine = LiveMachine(wantsPartials: true, language: "en")
    var results: [RecognitionResult] = []
    var waiting: [DecodeRequest] = []
    var ends = 0

    mutating func perform(_ actions: [LiveMachine.Action]) {
      for action in actions {
        switch action {
        case .decode(let request): waiting.append(request)
        case .withdraw(let id): waiting.removeAll { $0.id == id }
        case .hurry: break
        case .deliver(let result): results.append(result)
        case .end: ends += 1
        }
      }
    }

    mutating func answer(_ index: Int, _ text: String, seconds: Double = 0.01) {
      let request = waiting.remove(at: index)
      perform(machine.decoded(request.id, DecodeOutcome(text: text, seconds: seconds)))
    }

    mutating func hear(_ samples: [Float]) {
      for window in windows(of: samples) { perform(machine.take(window)) }
      perform(machine.finish(at: Int64(samples.count)))
    }
  }

  private let sentence = audio([Float](repeating: 0, count: 5) + [Float](repeating: 0.5, count: 10))

  @Test("The text decoded at the pause is the final text, without another decode")
  func completeIsFinal() {
    var script = Script()
    for window in windows(of: sentence + audio([0, 0, 0, 0])) { script.perform(script.machine.take(window)) }
    while let index = script.waiting.firstIndex(where: { $0.urgency == .complete }) { script.answer(index, "Hello.") }
    #expect(script.results.compactMap(\.final).isEmpty)
    let silence = (0..<10).map { VoiceWindow(startFrame: 30_208 + $0 * 512, isSpeech: false, power: 0) }
    for window in silence { script.perform(script.machine.take(window)) }
    #expect(script.results.compactMap(\.final).map(\.text) == ["Hello."])
    let urgencies = script.waiting.map(\.urgency)
    #expect(urgencies.filter { !$0.isPartial }.isEmpty)
  }

  @Test("What was promised becomes the final text when the last decode finds no words")
  func promiseSurvives() {
    var policy = LivePolicy()
    policy.agreeingPartials = 1
    policy.heldBackWords = 2
    var script = Script(machine: LiveMachine(policy: policy, wantsPartials: true, language: "en"))
    for window in windows(of: sentence) { script.perform(script.machine.take(window)) }
    script.answer(0, "These words were promised")
    script.perform(script.machine.finish(at: Int64(sentence.count)))
    script.answer(script.waiting.firstIndex { !$0.urgency.isPartial }!, "")
    #expect(script.results.compactMap(\.final).map(\.text) == ["These words"])
    #expect(script.ends == 1)
  }

  @Test("A promise that the last decode contradicts is kept, and told")
  func contradiction() {
    var script = Script(machine: eagerMachine)
    for window in windows(of: sentence) { script.perform(script.machine.take(window)) }
    script.answer(0, "Don't ask")
    for window in windows(of: sentence) {
      let later = VoiceWindow(startFrame: window.startFrame + 32_768, isSpeech: true, power: 0.25)
      script.perform(script.machine.take(later))
    }
    script.answer(0, "Don't ask")
    script.perform(script.machine.finish(at: 65_536))
    script.answer(script.waiting.firstIndex { !$0.urgency.isPartial }!, "Do not ask me.")
    #expect(script.results.compactMap(\.event).map(\.kind).contains(.promiseContradicted))
    #expect(script.results.compactMap(\.final).map(\.text) == ["Don't ask ask me."])
  }

  @Test("An engine that fails is an error, and the words are told to be missing")
  func failure() {
    var script = Script()
    script.hear(sentence)
    let request = script.waiting.first { !$0.urgency.isPartial }!
    script.perform(script.machine.failed(request.id, RecognitionError(.failed, "no memory")))
    #expect(script.results.contains(.error(RecognitionError(.failed, "no memory"))))
    #expect(script.results.compactMap(\.event).map(\.kind).contains(.speechWithoutText))
    #expect(script.ends == 1)
  }

  @Test("Speech without words is told, not hidden")
  func withoutText() {
    var script = Script()
    script.hear(sentence)
    script.answer(script.waiting.firstIndex { !$0.urgency.isPartial }!, "")
    #expect(script.results.compactMap(\.event).map(\.kind) == [.speechStarted, .speechEnded, .speechWithoutText])
  }

  @Test("Words at the end of a partial are hidden while somebody speaks")
  func hidden() {
    var script = Script()
    for window in windows(of: sentence) { script.perform(script.machine.take(window)) }
    script.answer(0, "one two three four five")
    #expect(script.results.compactMap(\.transcript).map(\.text) == ["one two three"])
  }

  @Test("When the level falls a partial is asked for at once, before the detector hears silence")
  func quiet() {
    var script = Script()
    for window in windows(of: sentence) { script.perform(script.machine.take(window)) }
    script.answer(0, "one two three four five")
    let start = Int64(sentence.count / 512 * 512)
    for index in 0..<2 {
      let window = VoiceWindow(startFrame: start + Int64(index) * 512, isSpeech: true, power: 0.000_1)
      script.perform(script.machine.take(window))
    }
    #expect(script.waiting.map(\.urgency) == [.partial])
    script.answer(0, "one two three four five")
    #expect(script.results.compactMap(\.transcript).last?.text == "one two three four five")
  }

  @Test("Finals come in the order of their start, whatever the order of the answers", arguments: 0..<30)
  func order(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) + 77)
    let samples = randomAudio(seed: UInt64(seed), tenths: 900)
    var script = Script(machine: eagerMachine)
    for window in windows(of: samples) {
      script.perform(script.machine.take(window))
      while !script.waiting.isEmpty, Int.random(in: 0..<20, using: &generator) == 0 {
        script.answer(Int.random(in: 0..<script.waiting.count, using: &generator), randomText(&generator))
      }
    }
    script.perform(script.machine.finish(at: Int64(samples.count)))
    script.perform(script.machine.finish(at: Int64(samples.count)))
    while !script.waiting.isEmpty {
      script.answer(Int.random(in: 0..<script.waiting.count, using: &generator), randomText(&generator))
    }
    checkPromises(script.results)
    #expect(script.ends == 1)
    #expect(!script.machine.isOverloaded)
  }

  @Test("A late answer to a withdrawn request changes nothing")
  func late() {
    var script = Script()
    script.hear(sentence)
    let before = script.machine.decoded(4_711, DecodeOutcome(text: "ghost", seconds: 0))
    #expect(before.isEmpty)
  }

  /// Promises early, so that it is often contradicted.
  private var eagerMachine: LiveMachine {
    var policy = LivePolicy()
    policy.agreeingPartials = 2
    policy.heldBackWords = 0
    return LiveMachine(policy: policy, wantsPartials: true, language: "en")
  }

  private func randomText(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...14, using: &generator)).map { index in
      Int.random(in: 0...9, using: &generator) == 0 ? "x" : "w\(index)"
    }.joined(separator: " ")
  }

  private func checkPromises(_ results: [RecognitionResult]) {
    var promised: [Int: [String]] = [:]
    var finals: [Transcript] = []
    for transcript in results.compactMap(\.transcript) {
      let stable = Words.normalized(transcript.stablePrefix)
      #expect(stable.starts(with: promised[transcript.sentenceIndex, default: []]))
      #expect(Words.normalized(transcript.text).starts(with: stable))
      let isOver = finals.map(\.sentenceIndex).contains(transcript.sentenceIndex)
      #expect(!isOver)
      #expect(transcript.span.start < transcript.span.end)
      promised[transcript.sentenceIndex] = stable
      if transcript.isSentenceFinal { finals.append(transcript) }
    }
    for (one, next) in zip(finals, finals.dropFirst()) { #expect(one.span.start < next.span.start) }
  }
}
