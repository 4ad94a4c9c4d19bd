import AuricleAudio
import AuricleRecognition
import AuricleSession
import Foundation
import Testing

@Suite("JSON lines")
struct LiveLineTests {
  private func line(_ result: SessionResult, emitted: Double = 1.23456, file: String? = nil) throws -> String {
    try LiveLine(file: file).line(SessionDelivery(emitted: emitted, result: result))
  }

  @Test("An unfinished sentence")
  func partial() throws {
    let transcript = Samples.partial(3, "ask not what", stable: "ask", 0.5, 1.25)
    let expected =
      #"{"type":"transcript","emitted":1.235,"sentenceIndex":3,"text":"ask not what","stableText":"ask","#
      + #""isFinal":false,"start":0.5,"end":1.25,"language":null}"#
    #expect(try line(.transcript(transcript)) == expected)
  }

  @Test("A final, one of several files")
  func final() throws {
    let expected =
      #"{"type":"transcript","file":"a\"b.wav","emitted":0.0,"sentenceIndex":0,"text":"One.","stableText":"One.","#
      + #""isFinal":true,"start":0.0,"end":1.0,"language":"en"}"#
    #expect(try line(.transcript(Samples.final(0, "One.", 0, 1)), emitted: 0, file: "a\"b.wav") == expected)
  }

  @Test("An event")
  func event() throws {
    let event = SessionEvent(
      .audioDropped, time: 2.00049, details: ["start": "2.0", "end": "3.0", "reason": "damaged"])
    let expected =
      #"{"type":"event","emitted":1.235,"event":"audioDropped","time":2.0,"#
      + #""details":{"end":"3.0","reason":"damaged","start":"2.0"}}"#
    #expect(try line(.event(event)) == expected)
  }

  @Test("An error")
  func failure() throws {
    let failure = SessionFailure(RecognitionError(.failed, "it broke\u{7}"))
    let expected =
      #"{"type":"error","emitted":1.235,"code":"failed","domain":"auricle.recognition","message":"it broke\u0007"}"#
    #expect(try line(.failure(failure)) == expected)
  }

  @Test("How a recording stands")
  func recording() throws {
    let status = RecordingStatus(
      phase: .paused, seconds: 1.5, level: AudioLevel(peak: 1, rms: 0.25), byteCount: 48_044, freeByteCount: nil)
    let expected =
      #"{"type":"recording","emitted":1.235,"phase":"paused","seconds":1.5,"peak":1.0,"rms":0.25,"isClipping":true,"#
      + #""byteCount":48044,"freeByteCount":null,"missingSeconds":0.0,"heardSeconds":null}"#
    #expect(try line(.recording(status)) == expected)
  }

  @Test("A finish has the report, on one line")
  func finish() throws {
    let report = Samples.report([Samples.final(0, "One\u{2028}two.", 0, 1)])
    let text = try line(.finish(report))
    #expect(text.hasPrefix(#"{"type":"finish","emitted":1.235,"report":{"#) && !text.contains(where: \.isNewline))
    struct Finish: Decodable { let report: RecordingReport }
    #expect(try JSONDecoder().decode(Finish.self, from: Data(text.utf8)).report == report)
  }

  @Test("Numbers that JSON does not know become 0", arguments: [Double.nan, .infinity])
  func oddNumbers(number: Double) throws {
    let event = SessionEvent(.speechStarted, time: number)
    #expect(try line(.event(event), emitted: number).contains(#""emitted":0.0,"event":"speechStarted","time":0.0"#))
  }
}
