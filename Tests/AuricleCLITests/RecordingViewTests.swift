import AuricleAudio
import AuricleSession
import Testing

@testable import AuricleCLI

@Suite("What a recording shows")
struct RecordingViewTests {
  private func status(
    _ phase: RecordingStatus.Phase, _ seconds: Double = 61.5, peak: Float = 0.1, missing: Double = 0,
    heard: Double? = nil
  ) -> RecordingStatus {
    RecordingStatus(
      phase: phase, seconds: seconds, level: AudioLevel(peak: peak, rms: 0), byteCount: 1_968_044,
      freeByteCount: 12_345_678_901, missingSeconds: missing, heardSeconds: heard)
  }

  private func shown(_ status: RecordingStatus..., hasKeys: Bool = true, width: Int = 100) -> [String] {
    var view = RecordingView(source: "A microphone", file: "audio.wav", hasKeys: hasKeys)
    view.hasStyle = false
    for status in status { view.take(status, at: .zero) }
    return view.rendered(width: width)
  }

  @Test("Recording: mark, time, level, device; file, size, free space, keys")
  func recording() {
    #expect(
      shown(status(.recording)) == [
        "● REC 1:01  ▮▮▮▮▮▮▮▮▯▯▯▯  A microphone", "audio.wav 2.0 MB  12.3 GB free  space pauses, q stops",
      ])
    #expect(shown(status(.recording), hasKeys: false)[1].hasSuffix("Ctrl-C stops"))
  }

  @Test("Paused and finishing look different")
  func phases() {
    #expect(shown(status(.paused))[0] == "‖ PAUSED 1:01  nothing is recorded  A microphone")
    #expect(shown(status(.finishing, heard: 40))[0] == "■ SAVED 1:01  waiting for the last words, text up to 0:40")
  }

  @Test("Clipping stays for two seconds of the recording; lost audio stays")
  func alarms() {
    #expect(shown(status(.recording, 10, peak: 1))[0].contains("CLIPPING"))
    #expect(shown(status(.recording, 10, peak: 1), status(.recording, 11.9))[0].contains("CLIPPING"))
    #expect(!shown(status(.recording, 10, peak: 1), status(.recording, 12))[0].contains("CLIPPING"))
    #expect(shown(status(.recording, missing: 0.25))[1].contains("0.25 s lost"))
  }

  @Test("Nothing came for two seconds: it says so, and is not red any more; sound brings the mark back")
  func still() {
    var view = RecordingView(source: "A microphone", file: "audio.wav", hasKeys: true)
    view.hasStyle = false
    view.movedAt = .seconds(10)
    view.look(at: .seconds(11.9))
    #expect(view.rendered(width: 100)[0].hasPrefix("● REC 0:00"))
    view.look(at: .seconds(12))
    #expect(view.rendered(width: 100)[0] == "○ WAITING 0:00  no sound arrives  A microphone")
    view.take(status(.recording, 1), at: .seconds(13))
    #expect(view.rendered(width: 100)[0].hasPrefix("● REC 0:01"))
    view.take(status(.recording, 1), at: .seconds(15))
    #expect(view.isStill)
    view.take(status(.finishing, 1), at: .seconds(20))
    #expect(!view.isStill)
  }

  @Test("The mark is red, and NO_COLOR is honoured")
  func style() {
    let view = RecordingView(source: "m", file: "f", hasKeys: true)
    #expect(view.rendered(width: 80)[0].hasPrefix("\u{1B}[1;31m● REC 0:00\u{1B}[0m"))
    #expect(!shown(status(.recording)).joined().contains("\u{1B}"))
  }

  @Test("Lines are narrower than the terminal, and the mark and the time stay longest", arguments: 0..<30)
  func narrow(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let phases = RecordingStatus.Phase.allCases
    for width in 1...120 {
      let words = ["ask", "日本語", "\u{1B}[2J", "👩‍👩‍👧", "\n"]
      let name = (0..<random.next(below: 8)).map { _ in words[random.next(below: words.count)] }.joined(separator: " ")
      var view = RecordingView(source: name, file: "audio.opus", hasKeys: random.next(below: 2) == 0)
      view.hasStyle = false
      view.take(
        status(
          phases[random.next(below: 3)], Double(random.next(below: 400_000)), peak: Float(random.next(below: 3)),
          missing: Double(random.next(below: 2)), heard: 3), at: .seconds(random.next(below: 4)))
      view.words.show(text: name, stablePrefix: "ask")
      for line in view.rendered(width: width) {
        #expect(TextWidth.of(line) < max(width, 1) || line.isEmpty)
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
      }
      if width > 18, case let first = view.rendered(width: width)[0] { #expect(first.contains(":")) }
    }
  }

  @Test(
    "Levels", arguments: [(0, 0), (0.0005, 0), (0.001, 0), (0.0316, 6), (1, 12), (4, 12), (.nan, 0), (.infinity, 12)])
  func levels(peak: Float, full: Int) {
    #expect(LevelBar.text(AudioLevel(peak: peak, rms: 0)).count { $0 == "▮" } == full)
  }

  @Test(
    "Sizes",
    arguments: [
      (-1, "0 B"), (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (99_949, "99.9 kB"), (99_950, "100 kB"),
      (999_499, "999 kB"), (999_500, "1.0 MB"), (Int64.max, "9223372 TB"),
    ] as [(Int64, String)])
  func sizes(count: Int64, text: String) {
    #expect(ByteCount.text(count) == text)
  }

  @Test("Lengths", arguments: [(0.2, "0.20 s"), (59.99, "59.99 s"), (61, "1:01"), (-1, "0.00 s")])
  func lengths(seconds: Double, text: String) {
    #expect(LengthText.seconds(seconds) == text)
  }
}
