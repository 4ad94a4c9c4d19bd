import AuricleSession
import Foundation

/// The words of one sentence, so far or for good.
///
/// Two with one ``sentenceIndex`` are the same sentence: the later text replaces the earlier one, and a final one is never
/// replaced.
public final class StreamSpeechASRModel: NSObject, Sendable {
  /// The words, a single line.
  public let transcript: String?
  /// The part of the text that will not change; ours.
  public let stablePrefix: String?
  /// The sentence, counted from 0.
  public let sentenceIndex: Int
  /// Whether this is the sentence's last text.
  public let isSentenceFinal: Bool
  /// Who said what, where the provider tells speakers apart; else empty.
  public let speakerSegments: [SpeechSpeakerSegment]
  /// The language, BCP 47; `nil` when the provider does not say.
  public let languageCode: String?
  /// The number of the delivery, counted from 0 over all transcripts of the session.
  public let sequence: Int
  /// Names the session.
  public let requestId: String

  init(_ sentence: ReportTranscript, stablePrefix: String, isFinal: Bool, requestId: String) {
    transcript = sentence.text
    self.stablePrefix = stablePrefix
    sentenceIndex = sentence.sentenceIndex
    isSentenceFinal = isFinal
    speakerSegments = sentence.speakerSegments.map(SpeechSpeakerSegment.init)
    languageCode = sentence.languageCode
    sequence = sentence.sequence
    self.requestId = requestId
  }

  /// Which sentence it is; what was said stands in no log.
  public override var description: String {
    "StreamSpeechASRModel(sentence \(sentenceIndex)\(isSentenceFinal ? ", final" : ""))"
  }
}

/// What one speaker said in one stretch of a sentence.
public final class SpeechSpeakerSegment: NSObject, Sendable {
  /// The speaker, as the provider names them within the session.
  public let speakerId: String
  /// Milliseconds from the start of the audio.
  public let startTimeMilliseconds: Int64
  /// Milliseconds from the start of the audio.
  public let endTimeMilliseconds: Int64
  /// The sequence of the transcript that the words belong to.
  public let associatedTranscriptSequence: Int
  /// The words.
  public let text: String

  init(_ segment: ReportSpeakerSegment) {
    speakerId = segment.speakerId
    startTimeMilliseconds = segment.startTimeMilliseconds
    endTimeMilliseconds = segment.endTimeMilliseconds
    associatedTranscriptSequence = segment.associatedTranscriptSequence
    text = segment.text
  }
}
