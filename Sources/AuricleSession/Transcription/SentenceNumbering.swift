import AuricleRecognition

/// Numbers the sentences and deliveries of several provider sessions, one after the other, so that no number is used for
/// two things.
///
/// A value. The first sentences of a session take over the numbers of those that the sessions before it left unfinished,
/// since they are about the same audio: who shows them replaces the old text. What a provider promised of an unfinished
/// sentence ends with its session.
struct SentenceNumbering: Sendable {
  /// The most that a provider may count its sentences and deliveries with.
  static let numbers = 0..<(1 << 30)

  /// The numbers of the session's sentences.
  private var numbers: [Int: Int] = [:]
  /// The session's sentences that are final.
  private var finals: Set<Int> = []
  /// The numbers of unfinished sentences of sessions before, the next one last.
  private var vacant: [Int] = []
  private var hasTakenOver = false
  private var firstIndex = 0
  private var nextIndex = 0
  private var firstSequence = 0
  private var nextSequence = 0

  /// Begins without sentences, and with a session.
  init() {}

  /// Begins behind sentences that are there.
  init(behind sentences: [ReportTranscript]) {
    nextIndex = 1 + (sentences.map(\.sentenceIndex).max() ?? -1)
    nextSequence = 1 + (sentences.map(\.sequence).max() ?? -1)
    beginSession()
  }

  /// The results of another session follow.
  mutating func beginSession() {
    let unfinished = numbers.filter { !finals.contains($0.key) }.values
    vacant = (vacant + unfinished).sorted(by: >)
    numbers = [:]
    finals = []
    hasTakenOver = false
    firstIndex = nextIndex
    firstSequence = nextSequence
  }

  /// Numbers a transcript of the session.
  /// - Returns: `nil` for one of a sentence that is final already, which is never replaced, and for absurd numbers.
  mutating func number(_ transcript: Transcript) -> Transcript? {
    guard Self.numbers.contains(transcript.sentenceIndex), Self.numbers.contains(transcript.sequence) else {
      return nil
    }
    guard !finals.contains(transcript.sentenceIndex) else { return nil }
    if transcript.isSentenceFinal { finals.insert(transcript.sentenceIndex) }
    let sequence = firstSequence + transcript.sequence
    nextSequence = max(nextSequence, sequence + 1)
    let segments = transcript.speakerSegments.map { segment in
      SpeakerSegment(
        speakerID: segment.speakerID, span: segment.span,
        associatedTranscriptSequence: firstSequence &+ segment.associatedTranscriptSequence, text: segment.text)
    }
    return Transcript(
      sentenceIndex: number(of: transcript.sentenceIndex), text: transcript.text,
      stablePrefix: transcript.stablePrefix, isSentenceFinal: transcript.isSentenceFinal, span: transcript.span,
      languageCode: transcript.languageCode, speakerSegments: segments, sequence: sequence)
  }

  private mutating func number(of index: Int) -> Int {
    if let number = numbers[index] { return number }
    let number: Int
    if let old = vacant.popLast() {
      number = old
      hasTakenOver = true
    } else {
      number = hasTakenOver ? nextIndex : firstIndex + index
    }
    numbers[index] = number
    nextIndex = max(nextIndex, number + 1)
    return number
  }
}
