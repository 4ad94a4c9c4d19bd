import AuricleRecognition
import AuricleSession

extension TSAIAudioRecordSessionResult {
  /// A result of the core; `nil` for how a recording stands, which TSAIKit does not tell.
  convenience init?(_ result: SessionResult, requestId: String) {
    switch result {
    case .transcript(let transcript):
      self.init(transcript: ReportTranscript(transcript), isFinal: transcript.isSentenceFinal, requestId: requestId)
    case .event(let event): self.init(event: ReportEvent(event), requestId: requestId)
    case .failure(let failure): self.init(.error, requestId: requestId, SessionResultContents(failure: failure))
    case .finish(let report): self.init(report: report, requestId: requestId)
    case .recording: return nil
    }
  }

  private convenience init(transcript: ReportTranscript, isFinal: Bool, requestId: String) {
    let contents = SessionResultContents(
      text: transcript.text, sentenceIndex: transcript.sentenceIndex, isSentenceFinal: isFinal,
      speakerSegments: transcript.speakerSegments.map(TSAIAudioRecordSpeakerSegment.init),
      languageCode: transcript.languageCode, sequence: transcript.sequence)
    self.init(.transcript, requestId: requestId, contents)
  }

  private convenience init(event: ReportEvent, requestId: String) {
    self.init(.event, requestId: requestId, SessionResultContents(event: event))
  }

  private convenience init(report: RecordingReport, requestId: String) {
    let contents = SessionResultContents(
      transcripts: report.transcripts.map {
        TSAIAudioRecordSessionResult(transcript: $0, isFinal: true, requestId: requestId)
      },
      sessionEvents: report.sessionEvents.map { TSAIAudioRecordSessionResult(event: $0, requestId: requestId) },
      report: report)
    self.init(.finish, requestId: requestId, contents)
  }
}
