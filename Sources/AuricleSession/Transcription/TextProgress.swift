import AuricleAudio
import AuricleRecognition

/// How far the text of a recording is: a value that every session with a provider goes on with.
///
/// Final sentences are the anchor: what comes behind the last one is heard again by the next session, and what a session
/// said of it before is replaced.
struct TextProgress: Sendable {
  /// What becomes of a transcript.
  enum Verdict: Sendable, Equatable {
    /// It is delivered like this.
    case deliver(Transcript)
    /// It changes nothing.
    case ignore
    /// No recogniser that is in its right mind says this.
    case refuse(RecognitionError)
  }

  /// So much may a provider be wrong about where something was said, in frames.
  static let tolerance: Int64 = 8_000

  /// Where the last final sentence ends, in frames at 16,000 Hz.
  private(set) var anchor: Int64 = 0
  private var start: Int64 = 0
  private var numbering = SentenceNumbering()
  private var latestEvent = -Double.infinity
  private var firstEvent = -Double.infinity
  private var speaker: String?

  /// Another session listens, from the anchor on.
  mutating func beginSession() {
    numbering.beginSession()
    start = anchor
    firstEvent = latestEvent
  }

  /// Takes what a session says.
  /// - Parameter heard: How far the session was fed, in frames at 16,000 Hz.
  mutating func take(_ transcript: Transcript, heard: Int64) -> Verdict {
    let (first, end) = (Self.frame(transcript.span.start), Self.frame(transcript.span.end))
    guard SentenceNumbering.numbers.contains(transcript.sentenceIndex),
      SentenceNumbering.numbers.contains(transcript.sequence), first <= end,
      first >= start - Self.tolerance, end <= heard + Self.tolerance
    else {
      return .refuse(RecognitionError(.invalidResponse, "the provider tells of words where it heard nothing"))
    }
    guard let numbered = numbering.number(transcript) else { return .ignore }
    if transcript.isSentenceFinal { anchor = max(anchor, min(end, heard)) }
    return .deliver(numbered)
  }

  /// Whether an event is new, and not told again by a session that hears the same audio.
  mutating func isNew(_ event: SessionEvent) -> Bool {
    guard event.time > firstEvent else { return false }
    latestEvent = max(latestEvent, event.time)
    return true
  }

  /// Tells of each change from one speaker to another, of final sentences only: who speaks an unfinished one may change.
  mutating func newSpeakers(in transcript: Transcript) -> [SessionEvent] {
    guard transcript.isSentenceFinal else { return [] }
    return transcript.speakerSegments.compactMap { segment in
      defer { speaker = segment.speakerID }
      guard let speaker, speaker != segment.speakerID else { return nil }
      return SessionEvent(
        .speakerChanged, time: segment.span.start, details: ["from": speaker, "to": segment.speakerID])
    }
  }

  private static func frame(_ seconds: Double) -> Int64 { AudioFormat.speech.frames(seconds: seconds) }
}
