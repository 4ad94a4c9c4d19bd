import AuricleRecognition
import Testing

@testable import AuricleSession

@Suite("The numbers of sentences over several sessions")
struct SentenceNumberingTests {
  private static func transcript(_ index: Int, _ sequence: Int, isFinal: Bool) -> Transcript {
    Transcript(
      sentenceIndex: index, text: "a", stablePrefix: isFinal ? "a" : "", isSentenceFinal: isFinal,
      span: TimeSpan(frames: 0..<1, sampleRate: 16_000), languageCode: nil,
      speakerSegments: [
        SpeakerSegment(
          speakerID: "s", span: TimeSpan(frames: 0..<1, sampleRate: 16_000), associatedTranscriptSequence: sequence,
          text: "a")
      ], sequence: sequence)
  }

  @Test("§4: A session alone keeps its own numbers, whatever their order")
  func alone() {
    var numbering = SentenceNumbering()
    let numbers = [3, 1, 7].enumerated().map { place, index in
      numbering.number(Self.transcript(index, place, isFinal: true))?.sentenceIndex
    }
    #expect(numbers == [3, 1, 7])
  }

  @Test("§4: The first sentences of a session take the places of those that were left unfinished, in order")
  func takenOver() {
    var numbering = SentenceNumbering()
    for (place, index) in [0, 1, 2, 3].enumerated() {
      _ = numbering.number(Self.transcript(index, place, isFinal: index == 0 || index == 2))
    }
    numbering.beginSession()
    let taken = (0..<4).compactMap { numbering.number(Self.transcript($0, $0, isFinal: $0 > 0)) }
    #expect(taken.map(\.sentenceIndex) == [1, 3, 4, 5] && taken.map(\.sequence) == [4, 5, 6, 7])
    #expect(taken.map { $0.speakerSegments[0].associatedTranscriptSequence } == [4, 5, 6, 7])
    // What is unfinished still has its place kept over a session that says nothing.
    numbering.beginSession()
    numbering.beginSession()
    #expect(numbering.number(Self.transcript(0, 0, isFinal: true))?.sentenceIndex == 1)
    #expect(numbering.number(Self.transcript(1, 1, isFinal: true))?.sentenceIndex == 6)
  }

  @Test("§4: A final one is never replaced, and absurd numbers are no sentence")
  func refused() {
    var numbering = SentenceNumbering()
    #expect(numbering.number(Self.transcript(0, 0, isFinal: true)) != nil)
    #expect(numbering.number(Self.transcript(0, 1, isFinal: false)) == nil)
    for number in [Int.max, Int.min, -1] {
      #expect(numbering.number(Self.transcript(number, 2, isFinal: true)) == nil)
      #expect(numbering.number(Self.transcript(1, number, isFinal: true)) == nil)
    }
  }

  @Test("§4: Over random sessions no number is used for two sentences, and no sequence twice", arguments: 0..<100)
  func random(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var numbering = SentenceNumbering()
    var sequences: [Int] = []
    var finals: Set<Int> = []
    for _ in 0..<20 {
      var done: Set<Int> = []
      for sequence in 0..<Int.random(in: 0..<12, using: &random) {
        let (index, isFinal) = (Int.random(in: 0..<6, using: &random), Bool.random(using: &random))
        let numbered = numbering.number(Self.transcript(index, sequence, isFinal: isFinal))
        #expect((numbered == nil) == done.contains(index))
        guard let numbered else { continue }
        #expect(!finals.contains(numbered.sentenceIndex))
        if isFinal {
          done.insert(index)
          finals.insert(numbered.sentenceIndex)
        }
        sequences.append(numbered.sequence)
      }
      numbering.beginSession()
    }
    #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("§9: It goes on behind the sentences of a journal")
  func behind() {
    var numbering = SentenceNumbering(behind: [ReportTranscript(Samples.final(4, "A.", 0, 1))])
    let next = numbering.number(Self.transcript(0, 0, isFinal: true))
    #expect(next?.sentenceIndex == 5 && next?.sequence == 5)
  }
}
