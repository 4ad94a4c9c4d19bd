import AuricleRecognition
import AuricleSession
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleCLI

/// A sink whose reader does not read until somebody says so.
private final class StalledSink: ByteSink, @unchecked Sendable {
  // The rule that makes it safe: the flag and the text are touched only under the condition's lock.
  private let condition = NSCondition()
  private var isOpen = false
  private var written = ""
  let terminalWidth: Int?

  init(terminalWidth: Int? = nil) { self.terminalWidth = terminalWidth }

  var text: String {
    condition.lock()
    defer { condition.unlock() }
    return written
  }

  func open() {
    condition.lock()
    defer { condition.unlock() }
    isOpen = true
    condition.broadcast()
  }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    condition.lock()
    defer { condition.unlock() }
    while !isOpen { condition.wait() }
    written += String(decoding: bytes, as: UTF8.self)
  }
}

@Suite("What a recording shows holds up nobody", .timeLimit(.minutes(5)))
struct ScreenLaneTests {
  private func screen(_ output: any ByteSink, _ talk: any ByteSink) -> RecordScreen {
    RecordScreen(Console(output: output, talk: talk, environment: [:], elapsed: { .zero }))
  }

  @Test("Nobody reads either: the talk is dropped, the texts are kept up to a bound, and a hurry waits for no room")
  func stalled() async {
    let (output, talk) = (StalledSink(), StalledSink())
    let screen = screen(output, talk)
    for index in 0..<5_000 { screen.say("\(index)") }
    let kilobyte = String(repeating: "x", count: 1_023) + "\n"
    for _ in 0..<1_024 { await screen.write(kilobyte) }
    let isThrough = StopSignal()
    let clock = ManualClock()
    let hurry = StopSignal()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<10 { await screen.write(kilobyte) }
        isThrough.stop()
      }
      try? await Task.sleep(for: .milliseconds(50))
      #expect(!isThrough.isStopped)
      screen.rush()
      await group.waitForAll()
    }
    hurry.stop()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await screen.finish(hurry: hurry, clock: clock) }
      await clock.waitForSleepers(1)
      clock.advance(by: RecordScreen.patience)
    }
    #expect(output.text.isEmpty && talk.text.isEmpty)
    output.open()
    talk.open()
  }

  @Test("Without a hurry the end waits until all is read, in order")
  func slow() async {
    let output = StalledSink()
    let talk = CapturedSink()
    let screen = screen(output, talk)
    for index in 0..<100 { await screen.write("\(index)\n") }
    screen.say("the end")
    output.open()
    await screen.finish(hurry: StopSignal(), clock: ManualClock())
    #expect(output.text == (0..<100).map { "\($0)\n" }.joined() && talk.text == "auricle: the end\n")
  }

  @Test("On one terminal texts and talk keep their order")
  func terminal() async {
    let sink = CapturedSink(terminalWidth: 80)
    let screen = screen(sink, sink)
    for index in 0..<50 {
      await screen.write("\(index)\n")
      screen.say("\(index)")
    }
    await screen.finish(hurry: StopSignal(), clock: ManualClock())
    #expect(sink.text == (0..<50).map { "\($0)\nauricle: \($0)\n" }.joined())
  }

  @Test("Of a slot only the newest is done, and what many tasks ask for is done once each")
  func slots() async {
    let lane = ScreenLane()
    let gate = DispatchSemaphore(value: 0)
    let seen = Guarded<[Int]>([])
    lane.post { gate.wait() }
    for index in 0..<10 { lane.post(.status) { seen.withLock { $0.append(index) } } }
    gate.signal()
    await lane.drain()
    #expect(seen.withLock { $0 } == [9])
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<1_000 {
        // Three have room at once.
        group.addTask { await lane.write(byteCount: 300_000) { seen.withLock { $0.append(index) } } }
      }
    }
    await lane.drain()
    #expect(seen.withLock { $0.dropFirst().sorted() } == Array(0..<1_000))
    lane.close()
  }
}
