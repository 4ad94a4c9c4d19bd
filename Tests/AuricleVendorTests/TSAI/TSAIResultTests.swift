import AuricleRecognition
import AuricleSession
import Foundation
import Testing

@testable import AuricleTSAI

@Suite("TSAIKit's results")
struct TSAIResultTests {
  private let segment = SpeakerSegment(
    speakerID: "s1", span: TimeSpan(frames: 8_000..<24_000, sampleRate: 16_000), associatedTranscriptSequence: 4,
    text: "Ask not")

  @Test("§4: A transcript has its speakers, in milliseconds")
  func speakers() throws {
    let transcript = Transcript(
      sentenceIndex: 2, text: "Ask not", stablePrefix: "Ask", isSentenceFinal: false,
      span: TimeSpan(frames: 8_000..<24_000, sampleRate: 16_000), languageCode: "en", speakerSegments: [segment],
      sequence: 4)
    let result = try #require(TSAIAudioRecordSessionResult(.transcript(transcript), requestId: "r"))
    #expect(result.type == .transcript && result.requestId == "r" && !result.isSentenceFinal && result.sequence == 4)
    let speaker = try #require(result.speakerSegments.first)
    #expect(speaker.speakerId == "s1" && speaker.text == "Ask not" && speaker.associatedTranscriptSequence == 4)
    #expect(speaker.startTimeMilliseconds == 500 && speaker.endTimeMilliseconds == 1_500)
  }

  @Test("§4: An event has type, time, evidence, details and error")
  func event() throws {
    var event = SessionEvent(
      .aiServiceNetworkError, time: 1, details: ["a": "b"], evidence: "the line is dead",
      error: SessionEvent.Failure(RecognitionError(.network, "look at the line")))
    event.moment = SessionEvent.Moment(millisecondsSince1970: 1_500, sessionSeconds: 2.5)
    let result = try #require(TSAIAudioRecordSessionResult(.event(event), requestId: "r"))
    #expect(result.type == .event && result.eventType == 9 && result.eventName == "aiServiceNetworkError")
    #expect(result.timestamp == Date(timeIntervalSince1970: 1.5) && result.timeSinceSessionStart == 2.5)
    #expect(result.evidence == "the line is dead" && result.details == ["a": "b"])
    #expect(result.error?.code == TSAIErrorCode.networkUnavailable.rawValue && result.text == nil)
  }

  @Test("§4: An error has its error, and how a recording stands is no result")
  func error() throws {
    let failure = SessionFailure(RecognitionError(.timedOut, "try again"))
    let result = try #require(TSAIAudioRecordSessionResult(.failure(failure), requestId: "r"))
    #expect(result.type == .error && result.error?.code == 1012 && result.error?.localizedDescription == "try again")
    let status = RecordingStatus(phase: .recording, seconds: 0, level: .silence, byteCount: 0, freeByteCount: nil)
    #expect(TSAIAudioRecordSessionResult(.recording(status), requestId: "r") == nil)
  }
}
