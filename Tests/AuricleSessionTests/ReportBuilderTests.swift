import AuricleAudio
import AuricleRecognition
import AuricleSession
import Foundation
import Testing

@Suite("The report's fold")
struct ReportBuilderTests {
  private func built(_ entries: [ReportEntry]) -> RecordingReport {
    var builder = ReportBuilder(context: Samples.context, startTime: Samples.start)
    for entry in entries { builder.apply(entry) }
    return builder.current
  }

  @Test("Nothing gives an empty, complete report")
  func empty() {
    let report = built([])
    #expect(report.transcripts.isEmpty && !report.isIncomplete && report.incompleteReason == nil)
    #expect(report.revision == 0 && report.startTime == Samples.start && report.endTime == Samples.start)
    #expect(report.audio == ReportAudio(format: .speech, frameCount: 0) && report.activeDuration == 0)
    #expect(!report.isStoppedByInterruption && !report.isOfflineRecording && !report.hadNetworkDisconnection)
  }

  @Test("Finals are kept in the order of delivery; partials leave no trace")
  func finals() {
    let report = built([
      .transcript(Samples.partial(0, "one", stable: "", 0, 1)), .transcript(Samples.final(0, "One.", 0, 1)),
      .transcript(Samples.partial(1, "two", stable: "", 1, 2)), .transcript(Samples.final(1, "Two.", 1, 2)),
      .transcript(Samples.partial(2, "three", stable: "", 2, 3)),
    ])
    #expect(report.transcripts.map(\.text) == ["One.", "Two."])
    #expect(report.language == "en")
  }

  @Test("A final is never replaced")
  func finalStays() {
    let report = built([
      .transcript(Samples.final(0, "One.", 0, 1)), .transcript(Samples.final(0, "Other.", 0, 1)),
      .transcript(Samples.partial(0, "more", stable: "", 0, 1)),
    ])
    #expect(report.transcripts.map(\.text) == ["One."])
  }

  @Test("An empty final is no sentence")
  func emptyFinal() {
    #expect(built([.transcript(Samples.final(0, "", 0, 1))]).transcripts.isEmpty)
  }

  @Test("The language that was asked for stays")
  func language() {
    var context = Samples.context
    context.language = "en-GB"
    var builder = ReportBuilder(context: context, startTime: Samples.start)
    builder.apply(.transcript(Samples.final(0, "One.", 0, 1)))
    #expect(builder.current.language == "en-GB")
  }

  @Test("Durations: gaps are part of the audio and not of what was listened to")
  func durations() {
    let gap = AudioGap(frames: 16_000..<32_000, sampleRate: 16_000, reason: .damaged)
    let report = built([.audio(0..<16_000), .gap(gap), .audio(32_000..<40_000)])
    #expect(report.audio.duration == 2.5 && report.activeDuration == 1.5)
    #expect(report.gaps.map(\.start) == [1] && report.gaps.map(\.end) == [2] && report.gaps[0].reason == "damaged")
  }

  @Test("Failures make it incomplete, and the first reason stays")
  func failures() {
    let source = SessionFailure(AudioError(.readFailed, "the disk is gone"))
    let engine = SessionFailure(RecognitionError(.failed, "the engine gave up"))
    #expect(built([.failure(source), .failure(engine)]).incompleteReason == .sourceFailed)
    let report = built([.failure(engine), .incomplete(.interrupted)])
    #expect(report.incompleteReason == .recognitionFailed && report.isIncomplete && report.isStoppedByInterruption)
    #expect(report.errors == [engine])
  }

  @Test("Speakers are counted in the order in which they were first heard")
  func speakers() {
    let segments = [("B", 0.0, 0.5), ("A", 0.5, 1.0), ("B", 1.0, 1.25)].map { name, start, end in
      SpeakerSegment(
        speakerID: name, span: Samples.span(start, end), associatedTranscriptSequence: 0, text: "word")
    }
    let report = built([.transcript(Samples.final(0, "One.", 0, 2, speakers: segments))])
    #expect(report.speakers.map(\.speakerId) == ["B", "A"])
    #expect(report.speakers.map(\.speakingTimeMilliseconds) == [750, 500])
    #expect(report.transcripts[0].speakerSegments.map(\.startTimeMilliseconds) == [0, 500, 1000])
  }

  @Test("Events and notices are kept, and the end is not before the start")
  func others() {
    let event = SessionEvent(.speechStarted, time: 0.12345, details: ["a": "b"])
    let notice = AudioNotice(.damagedAudio, "cut short")
    let report = built([.event(event), .notice(notice), .ended(Timestamp(millisecondsSince1970: 5))])
    #expect(report.sessionEvents == [ReportEvent(event)] && report.sessionEvents[0].time == 0.123)
    #expect(report.sessionEvents[0].eventType == 101 && report.notices == [ReportNotice(notice)])
    #expect(report.endTime == Samples.start)
  }

  @Test("Rounding never turns a sentence into no time")
  func rounding() {
    let transcript = Transcript(
      sentenceIndex: 0, text: "a", stablePrefix: "a", isSentenceFinal: true,
      span: TimeSpan(frames: 16_000..<16_001, sampleRate: 16_000), languageCode: nil, sequence: 0)
    let sentence = built([.transcript(transcript)]).transcripts[0]
    #expect(sentence.start == 1 && sentence.end == 1.001)
  }

  @Test("A report survives JSON")
  func roundTrip() throws {
    let report = built([
      .transcript(Samples.final(0, "Ünï \u{1B}[1m \"q\" \\ /", 0.1, 1.0005)), .audio(0..<16_000),
      .failure(SessionFailure(AudioError(.readFailed, "gone"))), .event(SessionEvent(.audioNotice, time: 1)),
    ])
    let json = try JSONText.encode(report, isPretty: true)
    #expect(try JSONDecoder().decode(RecordingReport.self, from: Data(json.utf8)) == report)
    #expect(json.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    #expect(json.contains("\"startTime\" : \"2025-01-31T09:30:00.250Z\""))
  }

  @Test("A report says which form it has")
  func schemaVersion() throws {
    #expect(built([]).schemaVersion == 1)
    #expect(try JSONText.encode(built([])).contains(#""schemaVersion":1"#))
  }

  @Test("A report that lacks newer fields, or has unknown ones, is read all the same")
  func tolerance() throws {
    let json = #"""
      {"startTime":"2025-01-31T09:30:00.250Z","audio":{"sampleRate":16000,"channelCount":1,"duration":2},
       "transcripts":[],"fromTheFuture":[1]}
      """#
    let report = try JSONDecoder().decode(RecordingReport.self, from: Data(json.utf8))
    #expect(report.schemaVersion == 1 && report.endTime == Samples.start && report.activeDuration == 2)
    #expect(report.errors.isEmpty && !report.isIncomplete && report.provider == nil)
    let newer = json.replacingOccurrences(of: "{\"startTime", with: "{\"schemaVersion\":7,\"startTime")
    #expect(try JSONDecoder().decode(RecordingReport.self, from: Data(newer.utf8)).schemaVersion == 7)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(RecordingReport.self, from: Data("{}".utf8)) }
  }

  @Test("The same entries give the same JSON, keys in order")
  func stableJSON() throws {
    let report = built([.transcript(Samples.final(0, "One.", 0, 1))])
    let first = try JSONText.encode(report)
    for _ in 0..<20 { #expect(try JSONText.encode(report) == first) }
    let start = #"{"activeDuration":0,"audio":{"channelCount":1,"duration":0,"sampleRate":16000},"endTime":"#
    #expect(first.hasPrefix(start))
  }
}

@Suite("Moments")
struct TimestampTests {
  @Test("Written and read back to the millisecond", arguments: [0, 1, 250, 999, 1_738_315_800_001, 4_102_444_799_999])
  func roundTrip(milliseconds: Int64) {
    let time = Timestamp(millisecondsSince1970: milliseconds)
    #expect(Timestamp(time.description) == time)
    #expect(Timestamp(time.date) == time)
  }

  @Test("The form is RFC 3339")
  func form() {
    #expect(Timestamp(millisecondsSince1970: 1).description == "1970-01-01T00:00:00.001Z")
    #expect(Timestamp("yesterday") == nil)
    #expect(Timestamp(millisecondsSince1970: 1) < Timestamp(millisecondsSince1970: 2))
  }

  @Test("Absurd dates do not trap")
  func absurd() {
    #expect(Timestamp(Date(timeIntervalSince1970: .nan)).millisecondsSince1970 == 0)
    #expect(Timestamp(Date(timeIntervalSince1970: 1e300)).description.hasPrefix("9999"))
  }
}
