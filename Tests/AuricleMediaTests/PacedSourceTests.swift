import AuricleAudio
import AuricleMedia
import AuricleTestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct PacedSourceTests {
  private let clock = ManualClock()

  private func source(_ script: [AudioChunk]) -> PacedSource<ManualClock> {
    PacedSource(ScriptedSource(format: .speech, script: script), clock: clock)
  }

  private func block(_ start: Int64, _ count: Int) -> AudioChunk {
    .audio(PCMBlock(format: .speech, startFrame: start, samples: Sounds.noise(count)))
  }

  @Test("A block comes when its last frame would have been heard, and no block is longer than 20 ms")
  func isPaced() async throws {
    let source = source([block(0, 800)])
    for step in 1...3 {
      async let chunk = source.next(maxFrames: .max)
      await clock.waitForSleepers(1)
      #expect(clock.nextDeadline?.offset == .milliseconds(step * 20 > 50 ? 50 : step * 20))
      clock.advance(by: .milliseconds(20))
      guard case .audio(let block) = try await chunk else { throw AudioError(.readFailed, "no block came") }
      #expect(block.frameCount == (step == 3 ? 160 : 320))
    }
    #expect(try await source.next(maxFrames: 1) == nil)
  }

  @Test("A reader that was late gets what it missed at once, and errors do not add up")
  func catchesUp() async throws {
    let source = source([block(0, 16_000)])
    async let first = source.next(maxFrames: .max)
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(95))
    _ = try await first
    for _ in 2...4 { _ = try await source.next(maxFrames: .max) }
    async let fifth = source.next(maxFrames: .max)
    await clock.waitForSleepers(1)
    #expect(clock.nextDeadline?.offset == .milliseconds(100))
    clock.advance(by: .milliseconds(5))
    _ = try await fifth
  }

  @Test("Gaps take their time, notices take none")
  func gapsTakeTime() async throws {
    let gap = AudioGap(frames: 0..<8_000, sampleRate: 16_000, reason: .sourceLost)
    let source = source([.notice(AudioNotice(.damagedAudio, "so it goes")), .gap(gap), block(8_000, 320)])
    #expect(try await source.next(maxFrames: 1) == .notice(AudioNotice(.damagedAudio, "so it goes")))
    async let chunk = source.next(maxFrames: .max)
    await clock.waitForSleepers(1)
    #expect(clock.nextDeadline?.offset == .milliseconds(500))
    clock.advance(by: .milliseconds(500))
    #expect(try await chunk == .gap(gap))
  }

  @Test("A cancelled wait ends at once and loses nothing")
  func cancellation() async throws {
    let source = source([block(0, 320)])
    let task = Task { try await source.next(maxFrames: .max) }
    await clock.waitForSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    clock.advance(by: .milliseconds(20))
    #expect(try await source.next(maxFrames: 100) == self.block(0, 320).cut(to: 100))
  }
}

extension AudioChunk {
  fileprivate func cut(to count: Int) -> AudioChunk {
    guard case .audio(let block) = self else { return self }
    return .audio(
      PCMBlock(format: block.format, startFrame: block.startFrame, samples: Array(block.samples.prefix(count))))
  }
}
