/// What one speaker said in one stretch of a sentence.
public struct SpeakerSegment: Sendable, Equatable {
  /// The speaker, as the provider names them within the session.
  public let speakerID: String
  /// When they spoke.
  public let span: TimeSpan
  /// The sequence of the transcript that the words belong to.
  public let associatedTranscriptSequence: Int
  /// The words.
  public let text: String

  /// Creates a segment.
  public init(speakerID: String, span: TimeSpan, associatedTranscriptSequence: Int, text: String) {
    self.speakerID = speakerID
    self.span = span
    self.associatedTranscriptSequence = associatedTranscriptSequence
    self.text = text
  }
}

/// The text of one sentence, so far or for good.
///
/// Two results with one ``sentenceIndex`` are the same sentence: the later text replaces the earlier one. A final one is
/// never replaced. The words of ``stablePrefix``, case and punctuation aside, only grow within an index, and they begin
/// the final text; a final one's stable prefix is its text.
public struct Transcript: Sendable, Equatable {
  /// The sentence, counted from 0; never reused within a session.
  public let sentenceIndex: Int
  /// The text, a single line.
  public let text: String
  /// The part of the text that is promised.
  public let stablePrefix: String
  /// Whether this is the sentence's last text.
  public let isSentenceFinal: Bool
  /// Where it was said. A final one's start is not before the final before it.
  public let span: TimeSpan
  /// The language, BCP 47; `nil` when the provider does not say.
  public let languageCode: String?
  /// The speakers, where the provider tells them apart; else empty.
  public let speakerSegments: [SpeakerSegment]
  /// The number of the delivery, counted from 0 over all transcripts of the session.
  public let sequence: Int

  /// Creates a transcript.
  public init(
    sentenceIndex: Int, text: String, stablePrefix: String, isSentenceFinal: Bool, span: TimeSpan,
    languageCode: String?, speakerSegments: [SpeakerSegment] = [], sequence: Int
  ) {
    self.sentenceIndex = sentenceIndex
    self.text = text
    self.stablePrefix = stablePrefix
    self.isSentenceFinal = isSentenceFinal
    self.span = span
    self.languageCode = languageCode
    self.speakerSegments = speakerSegments
    self.sequence = sequence
  }
}
