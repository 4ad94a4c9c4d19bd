import AuricleAudio
import AuricleRecognition
import AuricleSession
import Foundation
import Testing

@Suite("The journal of a recording")
struct JournalTests {
  static let header = JournalHeader(
    startTime: Samples.start, audioFileName: "audio.wav", format: .speech,
    consent: ReportConsent(participants: ["a-1", "b-2"], grantedAt: Samples.start, policyRevision: "p1"),
    device: ReportDevice(name: "mic", description: "A microphone"), source: nil, language: "en", wantsTranscript: true)
  static let entries: [JournalEntry] = [
    .header(header), .provider(ReportProvider(vendor: "scripted", model: "script")),
    .gap(gap(16_000, 24_000, .paused)), .gap(gap(24_000, 32_000, .paused)), .gap(gap(40_000, 40_160, .overrun)),
    .transcript(ReportTranscript(Samples.final(0, "Ünï \u{1B}[1m \"q\" \\ /.", 0.1, 0.9))),
    .event(ReportEvent(SessionEvent(.speechStarted, time: 0.1, details: ["a": "b"]))),
    .notice(ReportNotice(AudioNotice(.damagedAudio, "odd"))),
    .failure(SessionFailure(AudioError(.readFailed, "gone"))), .incomplete(.timedOut), .stopped(.deviceError),
    .ended(JournalEnd(time: Timestamp(millisecondsSince1970: 1_738_315_803_250), frameCount: 48_000)),
    .attempt(Samples.start), .attemptStopped(Samples.start),
    .offline, .disconnected, .textPending, .reported(revision: 0), .textComplete,
  ]

  static func gap(_ start: Int64, _ end: Int64, _ reason: AudioGap.Reason) -> JournalGap {
    JournalGap(AudioGap(frames: start..<end, sampleRate: 16_000, reason: reason))
  }

  @Test("Sentences that are counted with absurd numbers are ignored", arguments: [Int.max, Int.min, -1, 1 << 31])
  func absurdNumbers(_ number: Int) {
    for (index, sequence) in [(number, 0), (0, number)] {
      let transcript = Transcript(
        sentenceIndex: index, text: "Word.", stablePrefix: "Word.", isSentenceFinal: true,
        span: TimeSpan(frames: 0..<16_000, sampleRate: 16_000), languageCode: nil, sequence: sequence)
      var fold = JournalFold(folder: "/f")
      fold.apply(.transcript(ReportTranscript(transcript)))
      #expect(fold.transcripts.isEmpty)
    }
  }

  @Test("Each entry is one line and reads back as it was", arguments: entries)
  func roundTrip(entry: JournalEntry) throws {
    let line = try entry.line()
    #expect(!line.contains { $0.isNewline } && JournalEntry(line: line) == entry)
  }

  @Test("The form of a line is stable")
  func form() throws {
    let line = try JournalEntry.gap(Self.gap(1, 2, .paused)).line()
    #expect(line == #"{"entry":"gap","value":{"end":2,"reason":"paused","start":1}}"#)
    #expect(try JournalEntry.stopped(.storageFull).line() == #"{"entry":"stopped","value":"storageFull"}"#)
  }

  @Test("The report is a fold of the lines")
  func fold() throws {
    let report = JournalFold(folder: "/r", lines: try Self.entries.map { try $0.line() }).report
    #expect(report.startTime == Samples.start && report.consent == Self.header.consent)
    #expect(report.device?.name == "mic" && report.language == "en" && report.rawAudioFilePath == "/r/audio.wav")
    #expect(report.audio.duration == 3 && report.activeDuration == 1.99 && report.stopReason == .deviceError)
    #expect(report.gaps.map(\.reason) == ["paused", "overrun"] && report.gaps.map(\.end) == [2, 2.51])
    #expect(report.transcripts.count == 1 && report.provider?.model == "script" && report.notices.count == 1)
    #expect(report.isIncomplete && report.incompleteReason == .sourceFailed && report.sessionEvents.count == 1)
    #expect(report.endTime == Timestamp(millisecondsSince1970: 1_738_315_803_250))
  }

  @Test("A journal that breaks off gives the fold of its whole lines", arguments: 0..<200)
  func torn(cut: Int) throws {
    let text = try Self.entries.map { try $0.line() + "\n" }.joined()
    let bytes = Array(text.utf8).prefix(text.utf8.count * cut / 199)
    let lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    let whole = bytes.count { $0 == 0x0A }
    var expected = JournalFold(folder: "/r")
    for entry in Self.entries.prefix(whole) { expected.apply(entry) }
    let fold = JournalFold(folder: "/r", lines: lines)
    if let last = lines.last, JournalEntry(line: last) == nil || bytes.last == 0x0A {
      #expect(fold.report == expected.report)
    }
    #expect(fold.transcripts.count <= 1 && fold.attemptCount <= 1)
  }

  @Test("Entries of an unknown kind and odd fields are ignored; a sentence stands once")
  func unknown() {
    let lines = [
      #"{"entry":"mood","value":"good"}"#, #"{"entry":"gap","value":{"start":-1,"end":5,"reason":"x"}}"#,
      #"{"entry":"gap","value":{"start":5,"end":5,"reason":"x"}}"#, "", "null", "[]",
      #"{"entry":"gap","value":{"start":0,"end":9223372036854775807,"reason":"x"}}"#,
      #"{"entry":"ended","value":{"time":"2025-01-31T09:30:00.250Z","frameCount":-9223372036854775808}}"#,
    ]
    let fold = JournalFold(folder: "/r", lines: lines)
    #expect(fold.report.gaps.isEmpty && fold.end == nil && fold.header == nil)
    var twice = JournalFold(folder: "/r")
    for _ in 0..<2 { twice.apply(.transcript(ReportTranscript(Samples.final(0, "One.", 0, 1)))) }
    #expect(twice.report.transcripts.count == 1 && twice.textEnd == 1)
  }

  @Test("A gap that reaches beyond what was written ends with it")
  func longGap() {
    var fold = JournalFold(folder: "/r")
    fold.apply(.header(Self.header))
    fold.apply(.gap(Self.gap(8_000, 64_000, .paused)))
    fold.apply(.gap(Self.gap(64_100, 64_200, .overrun)))
    fold.apply(.ended(JournalEnd(time: Samples.start, frameCount: 16_000)))
    #expect(fold.report.gaps.map(\.end) == [1] && fold.report.audio.duration == 1)
    #expect(fold.report.activeDuration == 0.5)
  }

  @Test("Whatever the lines are, there is a report", arguments: 0..<100)
  func fuzzed(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let lines = try Self.entries.map { try $0.line() }
    for _ in 0..<30 {
      let mixed = (0..<12).map { _ in mutated(lines[Int(random.next() % UInt64(lines.count))], &random) }
      let report = JournalFold(folder: "/r", lines: mixed).report
      for export in ReportExport.allCases {
        let text = try export.render(report)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
      }
    }
  }

  /// The line with some bytes changed, some numbers enormous, or cut off.
  private func mutated(_ line: String, _ random: inout SeededRandom) -> String {
    var bytes = Array(line.utf8)
    switch random.next() % 4 {
    case 0: return line
    case 1: bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() % 256)
    case 2: bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
    default:
      let numbers = ["9223372036854775807", "-9223372036854775808", "1e308", "0", "-1"]
      let number = numbers[Int(random.next() % UInt64(numbers.count))]
      return line.replacing(#/:[0-9.]+/#) { _ in ":" + number }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
