import AuricleSession
import Foundation

/// What one speaker said in one stretch of a sentence.
public final class TSAIAudioRecordSpeakerSegment: NSObject, Sendable {
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
