import AuricleAudio
import AuricleTestKit
import Foundation
import Synchronization
import Testing

@testable import AuricleCLI

@Suite("The terminal", .timeLimit(.minutes(5)))
struct ConsoleTests {
  @Test("On a terminal partials and progress are shown, and taken away at the end")
  func live() async throws {
    let folder = try TemporaryFolder()
    try folder.write("sound", to: "a.wav")
    let bench = Bench(talk: CapturedSink(terminalWidth: 80))
    #expect(await bench.run("transcribe", "\(folder.path)/a.wav") == .success)
    #expect(
      bench.talk.text.contains("Ask \u{1B}[2mnot what.\u{1B}[0m")
        || bench.talk.text.contains("\u{1B}[2mAsk not\u{1B}[0m"))
    #expect(bench.talk.text.contains("/0:03"))
    #expect(bench.talk.text.hasSuffix("\r\u{1B}[K"))
    #expect(bench.output.text == "Ask not what.\nAsk what you.\n")
  }

  @Test("A dumb terminal gets no status line; NO_COLOR none that is dimmed")
  func plain() async throws {
    let folder = try TemporaryFolder()
    try folder.write("sound", to: "a.wav")
    let dumb = Bench(talk: CapturedSink(terminalWidth: 80), environment: ["TERM": "dumb"])
    _ = await dumb.run("transcribe", "\(folder.path)/a.wav")
    #expect(dumb.talk.text.isEmpty)
    let plain = Bench(talk: CapturedSink(terminalWidth: 80), environment: ["NO_COLOR": "1"])
    _ = await plain.run("transcribe", "\(folder.path)/a.wav")
    #expect(plain.talk.text.contains("Ask not") && !plain.talk.text.contains("\u{1B}[2m"))
  }

  @Test("Words on a terminal wipe the status line first, and it comes back")
  func wipes() throws {
    let screen = CapturedSink(terminalWidth: 40)
    let console = Console(output: screen, talk: screen, environment: [:], elapsed: { .zero })
    console.beginStatus(expected: 10)
    try console.write("words\n")
    console.say("some\nnews \u{1B}[2J")
    let bar = "░░░░░░░░░░ 0 % 0:00/0:10"
    #expect(
      screen.writes == [
        "\r\u{1B}[K\(bar)", "\r\u{1B}[K", "words\n", "\r\u{1B}[K\(bar)", "\r\u{1B}[K", "auricle: some news [2J\n",
        "\r\u{1B}[K\(bar)",
      ])
  }

  @Test(
    "Talk goes on while the reader of the words is slow; the status line stays away on its terminal",
    arguments: [nil, 40])
  func slowReader(width: Int?) throws {
    let talk = CapturedSink(terminalWidth: 40)
    let console = Mutex<Console?>(nil)
    let slow = SlowSink(terminalWidth: width) {
      console.withLock { $0 }?.say("news")
      console.withLock { $0 }?.showProgress(heard: 5)
    }
    let made = Console(output: slow, talk: talk, environment: [:], elapsed: { .zero })
    console.withLock { $0 = made }
    made.beginStatus(expected: nil)
    try made.write("words\n")
    let drawn = talk.writes.count { $0 == "\r\u{1B}[K0:00" }
    #expect(talk.writes.contains("auricle: news\n"))
    #expect(talk.writes.last == "\r\u{1B}[K0:05" && drawn == (width == nil ? 2 : 1))
  }

  @Test("A recording whose device delivers nothing says so by itself")
  func still() {
    let talk = CapturedSink(terminalWidth: 80)
    let clock = ManualClock()
    let console = Console(output: CapturedSink(), talk: talk, environment: [:], elapsed: { clock.now.offset })
    clock.advance(by: .seconds(5))
    console.beginRecording(RecordingView(source: "mic", file: "audio.wav", hasKeys: false))
    for _ in 0..<4 {
      clock.advance(by: .milliseconds(500))
      console.tick()
    }
    #expect(talk.writes.count == 2 && talk.writes.last?.contains("no sound arrives") == true)
  }

  @Test("Words go out though nobody reads the talk")
  func stalledTalk() throws {
    let output = CapturedSink()
    let console = Mutex<Console?>(nil)
    let talk = SlowSink(terminalWidth: 40) { try? console.withLock { $0 }?.write("words\n") }
    let made = Console(output: output, talk: talk, environment: [:], elapsed: { .zero })
    console.withLock { $0 = made }
    made.say("news")
    #expect(output.writes == ["words\n"])
  }

  @Test("Progress alone is drawn ten times a second at most")
  func throttled() {
    let talk = CapturedSink(terminalWidth: 40)
    let clock = ManualClock()
    let console = Console(
      output: CapturedSink(), talk: talk, environment: [:], elapsed: { clock.now.offset })
    console.beginStatus(expected: nil)
    for step in 0..<100 { console.showProgress(heard: Double(step)) }
    #expect(talk.writes.count == 1)
  }
}

@Suite("The status line")
struct StatusLineTests {
  private func shown(_ line: StatusLine, width: Int) -> String {
    line.rendered(width: width).replacingOccurrences(of: "\u{1B}[2m", with: "")
      .replacingOccurrences(of: "\u{1B}[0m", with: "")
  }

  @Test("Settled words are plain, the rest is dimmed")
  func dimmed() {
    var line = StatusLine(heard: 5, expected: 10)
    line.show(text: "Ask not what your", stablePrefix: "ask not,")
    #expect(line.rendered(width: 80) == "█████░░░░░ 50 % 0:05/0:10  Ask not \u{1B}[2mwhat your\u{1B}[0m")
    line.show(text: "Ask not", stablePrefix: "Ask not")
    #expect(line.rendered(width: 80) == "█████░░░░░ 50 % 0:05/0:10  Ask not")
    line.clearText()
    #expect(line.rendered(width: 80) == "█████░░░░░ 50 % 0:05/0:10")
  }

  @Test("Without a length there is no bar, and more than all is all")
  func lengths() {
    #expect(StatusLine(heard: 61).rendered(width: 80) == "1:01")
    #expect(StatusLine(heard: 20, expected: 10).rendered(width: 80) == "██████████ 100 % 0:20/0:10")
    #expect(StatusLine(heard: .nan, expected: 10).rendered(width: 80) == "░░░░░░░░░░ 0 % 0:00/0:10")
  }

  @Test("It is always narrower than the terminal, and keeps the end of the words", arguments: 0..<30)
  func narrow(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let words = ["ask", "not", "日本語", "👩‍👩‍👧", "e\u{301}", "\u{1B}[2J", "\u{202E}", "incomprehensibilities"]
    for _ in 0..<100 {
      var line = StatusLine(
        heard: Double(random.next(below: 10_000)), expected: random.next(below: 2) == 0 ? nil : 9_000)
      let text = (0..<random.next(below: 20)).map { _ in words[random.next(below: words.count)] }
      line.show(
        text: text.joined(separator: " "), stablePrefix: text.prefix(random.next(below: 20)).joined(separator: " "))
      let width = 1 + random.next(below: 120)
      let result = shown(line, width: width)
      #expect(TextWidth.of(result) < width || width == 1 && result.isEmpty)
      #expect(!result.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" })
    }
  }
}
