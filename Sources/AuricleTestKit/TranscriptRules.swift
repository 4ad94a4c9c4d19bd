import AuricleRecognition

/// The rules that the transcripts of one session keep; a value that looks at them in their order.
public struct TranscriptRules: Sendable {
  private let end: Double
  private let wantsPartials: Bool
  private var found: [RecognitionContract.Violation] = []
  private var lastFinalStart = -Double.infinity
  private var lastSequence = -1
  private var finished: Set<Int> = []
  private var promised: [Int: [String]] = [:]

  /// Begins with nothing seen.
  /// - Parameters:
  ///   - end: Where the audio ends, in seconds; no text lies behind it.
  ///   - wantsPartials: Whether unfinished sentences may come.
  public init(end: Double, wantsPartials: Bool) {
    self.end = end
    self.wantsPartials = wantsPartials
  }

  /// Looks at all results of a session.
  public func violations(_ results: [RecognitionResult]) -> [RecognitionContract.Violation] {
    var rules = self
    for case .transcript(let transcript) in results { rules.look(at: transcript) }
    return rules.found
  }

  /// The words of a text, case and punctuation aside.
  public static func words(_ text: String) -> [String] {
    text.lowercased().split(whereSeparator: \.isWhitespace).compactMap { word in
      let letters = word.filter { $0.isLetter || $0.isNumber }
      return letters.isEmpty ? nil : letters
    }
  }

  private mutating func look(at transcript: Transcript) {
    let index = transcript.sentenceIndex
    check("R1", transcript.span.start < transcript.span.end, "\(transcript.span.frames) is no stretch of time")
    check("R1", transcript.span.start >= 0 && transcript.span.end <= end + 0.001, "text lies outside the audio")
    check("R2", !finished.contains(index), "sentence \(index) goes on behind its final")
    let before = lastSequence
    check("R3", transcript.sequence > before, "sequence \(transcript.sequence) follows \(before)")
    lastSequence = max(lastSequence, transcript.sequence)
    check("R4", !transcript.text.contains(where: \.isNewline), "a text has more than one line")
    lookAtPromise(transcript)
    if transcript.isSentenceFinal { lookAtFinal(transcript) } else { lookAtPartial() }
  }

  private mutating func lookAtPromise(_ transcript: Transcript) {
    let before = promised[transcript.sentenceIndex] ?? []
    let now = Self.words(transcript.stablePrefix)
    check("R5", now.starts(with: before), "the promise of sentence \(transcript.sentenceIndex) did not only grow")
    check("R6", Self.words(transcript.text).starts(with: now), "a text does not begin with its promise")
    promised[transcript.sentenceIndex] = now
  }

  private mutating func lookAtFinal(_ transcript: Transcript) {
    finished.insert(transcript.sentenceIndex)
    check("R7", transcript.stablePrefix == transcript.text, "a final is not promised as a whole")
    check("R7", !transcript.text.isEmpty, "a final is empty")
    check("R8", transcript.span.start >= lastFinalStart, "finals do not come in the order of their start")
    lastFinalStart = max(lastFinalStart, transcript.span.start)
  }

  private mutating func lookAtPartial() {
    check("R9", wantsPartials, "an unfinished sentence came that nobody wants")
  }

  private mutating func check(_ clause: String, _ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { found.append(RecognitionContract.Violation(clause: clause, message: message())) }
  }
}
