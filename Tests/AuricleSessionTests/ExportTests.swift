import AuricleAudio
import Foundation
import AuricleRecognition
import Testing

@testable import AuricleSession

@Suite("Exports")
struct ExportTests {
  private let speech = [
    Samples.final(0, "Ask not what your country can do for you.", 0.5, 3.25),
    Samples.final(1, "Ask <b>what</b> you & I --> can *do*.", 3_725.5, 3_730),
  ]

  @Test("Text is words only, one sentence a line")
  func text() throws {
    let expected = "Ask not what your country can do for you.\nAsk <b>what</b> you & I --> can *do*.\n"
    #expect(try ReportExport.text.render(Samples.report(speech)) == expected)
    #expect(try ReportExport.text.render(Samples.report([])).isEmpty)
  }

  @Test("Markdown")
  func markdown() throws {
    let expected = #"""
      # a\_b.wav

      - Recorded: 2025-01-31T09:30:00.250Z
      - Length: 0:10
      - Language: en
      - Recogniser: scripted, script

      **0:00** Ask not what your country can do for you.

      **1:02:05** Ask \<b\>what\</b\> you \& I --\> can \*do\*.

      """#
    #expect(try ReportExport.md.render(Samples.report(speech, source: "a_b.wav")) == expected)
  }

  @Test("Markdown says why it is incomplete")
  func incompleteMarkdown() {
    var report = Samples.report(speech)
    report.isIncomplete = true
    report.incompleteReason = .interrupted
    #expect(MarkdownExport.render(report).contains("\n\n*Incomplete: interrupted.*\n\n"))
  }

  @Test("SubRip")
  func subRip() throws {
    let expected = """
      1
      00:00:00,500 --> 00:00:03,250
      Ask not what your country can do for you.

      2
      01:02:05,500 --> 01:02:10,000
      Ask ‹b›what‹/b› you & I --› can *do*.

      """
    #expect(try ReportExport.srt.render(Samples.report(speech)) == expected)
    #expect(try ReportExport.srt.render(Samples.report([])).isEmpty)
  }

  @Test("WebVTT")
  func webVTT() throws {
    let expected = """
      WEBVTT

      00:00:00.500 --> 00:00:03.250
      Ask not what your country can do for you.

      01:02:05.500 --> 01:02:10.000
      Ask &lt;b&gt;what&lt;/b&gt; you &amp; I --&gt; can now and
      then *do*.

      """
    let wide = [speech[0], Samples.final(1, "Ask <b>what</b> you & I --> can now and then *do*.", 3_725.5, 3_730)]
    let rendered = try ReportExport.vtt.render(Samples.report(wide))
    #expect(rendered == expected)
    #expect(try ReportExport.vtt.render(Samples.report([])) == "WEBVTT\n")
  }

  @Test("JSON ends with a line break and holds the sentences")
  func json() throws {
    let json = try ReportExport.json.render(Samples.report(speech))
    #expect(json.contains("\"gaps\" : [],\n") && !json.contains("[\n\n"))
    #expect(json.hasSuffix("}\n") && json.contains("\"sentenceIndex\" : 1"))
  }

  @Test(
    "Times of players",
    arguments: [
      (0, "00:00:00.000"), (59.9994, "00:00:59.999"), (59.9996, "00:01:00.000"), (3_600, "01:00:00.000"),
      (360_000.001, "100:00:00.001"), (3_599_999.5, "999:59:59.500"), (-1, "00:00:00.000"), (.nan, "00:00:00.000"),
      (.infinity, "00:00:00.000"),
    ])
  func longTimes(seconds: Double, expected: String) {
    #expect(ClockTime(seconds: seconds).long(fraction: ".") == expected)
  }

  @Test(
    "Times of people",
    arguments: [(0, "0:00"), (61.9, "1:01"), (3_599, "59:59"), (3_600, "1:00:00"), (4e5, "111:06:40")])
  func shortTimes(seconds: Double, expected: String) {
    #expect(ClockTime(seconds: seconds).short == expected)
  }

  @Test("File extensions")
  func extensions() {
    #expect(ReportExport.allCases.map(\.fileExtension) == ["txt", "json", "md", "srt", "vtt"])
  }
}

@Suite("Subtitles of long sentences")
struct CueTests {
  private let words = (1...60).map { "word\($0)" }

  @Test("Cues of two lines follow each other without hole or overlap and keep every word")
  func long() {
    let cues = Cue.cues(of: ReportTranscript(Samples.final(0, words.joined(separator: " "), 2, 17)))
    #expect(cues.count > 2)
    #expect(cues.first?.start == ClockTime(seconds: 2) && cues.last?.end == ClockTime(seconds: 17))
    for (one, next) in zip(cues, cues.dropFirst()) { #expect(one.end == next.start) }
    #expect(cues.allSatisfy { $0.start < $0.end && $0.lines.count <= 2 && $0.lines.allSatisfy { $0.count <= 42 } })
    #expect(cues.flatMap(\.lines).joined(separator: " ").split(separator: " ").map(String.init) == words)
  }

  @Test("Too little time is not divided")
  func short() {
    let cues = Cue.cues(of: ReportTranscript(Samples.final(0, words.joined(separator: " "), 2, 2.1)))
    #expect(cues.count == 1)
  }

  @Test("A word wider than a line stays whole")
  func wideWord() {
    let word = String(repeating: "x", count: 100)
    #expect(Cue.cues(of: ReportTranscript(Samples.final(0, word, 0, 1))).flatMap(\.lines) == [word])
  }

  @Test("What shows nothing is no cue")
  func empty() {
    #expect(Cue.cues(of: ReportTranscript(Samples.final(0, "\u{202E}\n", 0, 1))).isEmpty)
  }
}

@Suite("Exports of hostile text")
struct ExportFuzzTests {
  @Test("Nothing that steers a terminal comes out, and subtitles keep their structure", arguments: 0..<40)
  func hostile(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    for _ in 0..<50 {
      let sentences = (0..<3).map { index in
        Samples.final(index, Samples.nastyText(&random), Double(index), Double(index) + 0.9)
      }
      let report = Samples.report(sentences, source: Samples.nastyText(&random))
      for export in ReportExport.allCases {
        let text = try export.render(report)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || PlainText.isHarmless($0) }, "\(export) \(seed)")
      }
      let shown = sentences.count { !PlainText.line($0.text).isEmpty }
      #expect(TextExport.render(report).split(separator: "\n").count == shown)
      checkCues(WebVTTExport.render(report), count: shown)
      checkCues(SubRipExport.render(report), count: shown)
    }
  }

  /// As many arrows as cues, and no empty line within one.
  private func checkCues(_ text: String, count: Int) {
    let blocks = text.components(separatedBy: "\n\n").filter { $0.contains(" --> ") }
    #expect(blocks.count >= count)
    #expect(blocks.count == text.components(separatedBy: "-->").count - 1)
    #expect(blocks.allSatisfy { !$0.contains("<") })
  }

  @Test("JSON strings read back as they were", arguments: 0..<20)
  func strings(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    for _ in 0..<100 {
      let text = Samples.nastyText(&random)
      let json = JSONText.string(text)
      #expect(json.unicodeScalars.allSatisfy(PlainText.isHarmless))
      #expect(try JSONDecoder().decode([String].self, from: Data("[\(json)]".utf8)) == [text])
    }
  }
}

@Suite("Plain text")
struct PlainTextTests {
  @Test(
    "One harmless line",
    arguments: [
      ("a\nb\r\nc", "a b c"), ("  a \t b  ", "a b"), ("\u{1B}[31mred", "[31mred"), ("a\u{202E}b", "ab"),
      ("\u{FEFF}a\u{200B}", "a"), ("a\u{0}b", "a b"), ("👩‍👩‍👧 e\u{301}", "👩‍👩‍👧 e\u{301}"), ("\u{9B}31m", "31m"), ("", ""),
    ])
  func lines(text: String, expected: String) {
    #expect(PlainText.line(text) == expected)
  }
}
