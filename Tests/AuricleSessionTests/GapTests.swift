import AuricleAudio
import AuricleRecognition
import AuricleSession
import Foundation
import Testing

@Suite("Gaps in reports and exports")
struct GapTests {
  private func report(_ entries: [ReportEntry]) -> RecordingReport {
    var builder = ReportBuilder(context: Samples.context, startTime: Samples.start)
    builder.apply(.transcript(Samples.final(0, "One.", 0.5, 1)))
    builder.apply(.transcript(Samples.final(1, "Two.", 6, 7)))
    for entry in entries { builder.apply(entry) }
    return builder.current
  }

  private func gap(_ start: Double, _ end: Double, _ reason: AudioGap.Reason = .paused) -> ReportEntry {
    .gap(AudioGap(frames: Int64(start * 16_000)..<Int64(end * 16_000), sampleRate: 16_000, reason: reason))
  }

  @Test("Pieces of one gap are one; another reason or a hole begins a new one")
  func merged() {
    let gaps = report([gap(1, 2), gap(2, 3), gap(3, 3.5, .overrun), gap(4, 5, .overrun)]).gaps
    #expect(gaps.map(\.start) == [1, 3, 4] && gaps.map(\.end) == [3, 3.5, 5])
  }

  @Test("Exports say where nothing was heard; text is words only, and short gaps stand in JSON only")
  func exports() throws {
    let report = report([gap(1.5, 5), gap(7, 7.25, .overrun)])
    #expect(try ReportExport.text.render(report) == "One.\nTwo.\n")
    #expect(try ReportExport.json.render(report).contains(#""reason" : "overrun""#))
    let middle = "**0:00** One.\n\n**0:01** *paused, until 0:05*\n\n**0:06** Two."
    #expect(try ReportExport.md.render(report).contains(middle))
    #expect(try ReportExport.srt.render(report).contains("2\n00:00:01,500 --> 00:00:05,000\n[paused]\n"))
    #expect(try ReportExport.vtt.render(report).contains("00:00:01.500 --> 00:00:05.000\n[paused]\n"))
    #expect(try ReportExport.srt.render(report).split(separator: "\n\n").count == 3)
  }

  @Test("A gap behind the last sentence is the last")
  func last() throws {
    let text = try ReportExport.md.render(report([gap(8, 12, AudioGap.Reason(name: "<new>"))]))
    #expect(text.hasSuffix("**0:08** *audio missing: \\<new\\>, until 0:12*\n"))
  }

  @Test("Stop reasons keep their names and numbers, also unknown ones")
  func stopReasons() throws {
    let numbers = [StopReason.unknown, .userInitiated, .maxDurationReached, .deviceError, .storageFull, .disconnected]
    #expect((numbers + [.interrupted]).map(\.rawValue) == Array(0...6))
    for reason in numbers + [StopReason(rawValue: 0, name: "new")] {
      let json = try JSONEncoder().encode([reason])
      #expect(try JSONDecoder().decode([StopReason].self, from: json) == [reason])
    }
  }

  @Test("A consent says how many agreed, and not who")
  func consent() {
    let consent = ReportConsent(participants: ["Xaver", "Yvonne"], grantedAt: Samples.start, policyRevision: "1")
    #expect("\(consent)" == "consent of 2, granted at 2025-01-31T09:30:00.250Z")
    var report = report([])
    report.consent = consent
    var dumped = "\(report)" + String(reflecting: report)
    dump(report, to: &dumped)
    #expect(!dumped.contains("Xaver") && !dumped.contains("Yvonne") && dumped.contains("participantCount"))
  }
}
