import AuricleAudio
import AuricleTestKit
import Testing

@testable import AuricleCapture

@Suite(.timeLimit(.minutes(5))) struct WatchedSourceTests {
  private let clock = ManualClock()

  private func kind(_ chunk: AudioChunk?) -> String? {
    guard case .notice(let notice) = chunk else { return nil }
    return notice.kind.name
  }

  @Test("C1: A source that stops delivering is told after two seconds, and its next frames are not lost")
  func stall() async throws {
    let inner = PushSource(.speech)
    let source = WatchedSource(inner, clock: clock)
    await inner.push([1])
    #expect(try await source.next(maxFrames: 10) != nil)
    async let told = source.next(maxFrames: 10)
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(1_999))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(try await kind(told) == "inputStalled")
    async let audio = source.next(maxFrames: 10)
    await inner.push([2])
    #expect(try await audio == .audio(PCMBlock(format: .speech, startFrame: 1, samples: [2])))
    #expect(try await kind(source.next(maxFrames: 10)) == "inputRestored")
  }

  @Test("Before its first frame a source may take its time, and a reader's own time is not held against it")
  func patience() async throws {
    let inner = PushSource(.speech)
    let source = WatchedSource(inner, clock: clock)
    async let first = source.next(maxFrames: 10)
    clock.advance(by: .seconds(10))
    await inner.push([1])
    #expect(try await first != nil)
    clock.advance(by: .seconds(10))
    async let second = source.next(maxFrames: 10)
    await clock.waitForSleepers(1)
    await inner.push([2])
    #expect(try await second == .audio(PCMBlock(format: .speech, startFrame: 1, samples: [2])))
  }

  @Test("Everything of the source passes, cut as asked, and notices stand behind what shows them")
  func order() async throws {
    let notice = AudioChunk.notice(AudioNotice(.damagedAudio, "damaged"))
    let samples = [Float](repeating: 0, count: 32_000)
    let script: [AudioChunk] = [
      notice, .audio(PCMBlock(format: .speech, startFrame: 0, samples: samples)),
      .gap(AudioGap(frames: 32_000..<32_010, sampleRate: 16_000, reason: .overrun)),
    ]
    let source = WatchedSource(ScriptedSource(format: .speech, script: script, expectedFrameCount: 9), clock: clock)
    #expect(source.expectedFrameCount == 9)
    #expect(try await source.next(maxFrames: 40_000) == notice)
    #expect(try await source.next(maxFrames: 40_000) == script[1])
    #expect(try await kind(source.next(maxFrames: 1)) == "inputSilent")
    #expect(try await source.next(maxFrames: 1) == script[2])
    for _ in 0..<2 { #expect(try await source.next(maxFrames: 1) == nil) }
  }

  @Test("What was read for a wait that ended is delivered in the pieces that are asked for later")
  func pieces() async throws {
    let inner = PushSource(.speech)
    let source = WatchedSource(inner, clock: clock)
    let cancelled = Task { try await source.next(maxFrames: 100) }
    try await Task.sleep(for: .milliseconds(20))
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    await inner.push([1, 2, 3])
    #expect(try await source.next(maxFrames: 2) == .audio(PCMBlock(format: .speech, startFrame: 0, samples: [1, 2])))
    #expect(try await source.next(maxFrames: 2) == .audio(PCMBlock(format: .speech, startFrame: 2, samples: [3])))
  }

  @Test("A failure passes")
  func failure() async throws {
    let lost = AudioError(.deviceLost, "gone")
    let source = WatchedSource(ScriptedSource(format: .speech, script: [], failure: lost), clock: clock)
    for _ in 0..<2 { await #expect(throws: lost) { try await source.next(maxFrames: 2) } }
  }

  @Test("A ring's events stand between the frames before and after them, however much is asked for")
  func ringEvents() async throws {
    for maxFrames in [1, 2, 3, 100] {
      let source = RingSource(CaptureRing(format: .speech, gate: try .opened()))
      func note(_ name: String) { source.note(CaptureEvent(.init(name: name), name, details: ["n": name])) }
      note("a")
      source.ring.offer([1, 2, 3])
      note("b")
      note("c")
      source.ring.offer([4])
      source.ring.miss(2, .sourceLost)
      note("d")
      source.finish()
      var line = ""
      while let chunk = try await source.next(maxFrames: maxFrames) {
        switch chunk {
        case .audio(let block): line += block.samples.map { String(Int($0)) }.joined()
        case .gap(let gap): line += "(\(gap.frames.count))"
        case .notice(let notice): line += CaptureEvent(notice).details["n"] ?? "?"
        }
      }
      #expect(line == "a123bc4(2)d")
    }
  }

  @Test("Events that nobody reads do not pile up")
  func bounded() async throws {
    let source = RingSource(CaptureRing(format: .speech, gate: try .opened()))
    for number in 0..<1_000 { source.note(CaptureEvent(.deviceAdded, "\(number)")) }
    source.finish()
    var count = 0
    while try await source.next(maxFrames: 1) != nil { count += 1 }
    #expect(count == EventQueue.capacity)
  }
}
