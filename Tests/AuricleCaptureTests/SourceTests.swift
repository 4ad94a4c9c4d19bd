import AuricleAudio
import AuricleConsent
import AuricleTestKit
import Testing

@testable import AuricleCapture

@Suite(.timeLimit(.minutes(2))) struct RingSourceTests {
  private let lost = AudioError(.deviceLost, "the device went away")

  private func audio(_ start: Int64, _ samples: [Float]) -> AudioChunk {
    .audio(PCMBlock(format: .speech, startFrame: start, samples: samples))
  }

  @Test("A reader of an empty ring looks again every 10 ms, and not before")
  func polling() async throws {
    let clock = ManualClock()
    let source = RingSource(CaptureRing(format: .speech, gate: try .opened()), clock: clock)
    async let chunk = source.next(maxFrames: 10)
    await clock.waitForSleepers(1)
    source.ring.offer([1, 2])
    clock.advance(by: .milliseconds(9))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(try await chunk == audio(0, [1, 2]))
  }

  @Test("What was offered before the end is delivered, then nil for ever")
  func normalEnd() async throws {
    let source = RingSource(CaptureRing(format: .speech, gate: try .opened()))
    source.ring.offer([1, 2, 3])
    source.finish()
    source.finish(throwing: lost)
    #expect(try await source.next(maxFrames: 2) == audio(0, [1, 2]))
    #expect(try await source.next(maxFrames: 2) == audio(2, [3]))
    for _ in 0..<2 { #expect(try await source.next(maxFrames: 2) == nil) }
  }

  @Test("What was offered before a failure is delivered, then its reason for ever")
  func failure() async throws {
    let source = RingSource(CaptureRing(format: .speech, gate: try .opened()))
    source.ring.offer([1])
    source.finish(throwing: lost)
    source.finish()
    #expect(try await source.next(maxFrames: 2) == audio(0, [1]))
    for _ in 0..<2 { await #expect(throws: lost) { try await source.next(maxFrames: 2) } }
  }

  @Test("The end wakes a waiting reader at its next look")
  func endWhileWaiting() async throws {
    let clock = ManualClock()
    let source = RingSource(CaptureRing(format: .speech, gate: try .opened()), clock: clock)
    async let chunk = source.next(maxFrames: 10)
    await clock.waitForSleepers(1)
    source.finish()
    clock.advance(by: .milliseconds(10))
    #expect(try await chunk == nil)
  }

  @Test("A cancelled wait ends at once and loses nothing")
  func cancellation() async throws {
    let clock = ManualClock()
    let source = RingSource(CaptureRing(format: .speech, gate: try .opened()), clock: clock)
    let task = Task { try await source.next(maxFrames: 10) }
    await clock.waitForSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    source.ring.offer([1])
    #expect(try await source.next(maxFrames: 10) == audio(0, [1]))
  }
}

@Suite struct GatedSourceTests {
  private func block(_ start: Int64, _ count: Int) -> PCMBlock {
    PCMBlock(format: .speech, startFrame: start, samples: Array(repeating: 1, count: count))
  }

  private func gap(_ frames: Range<Int64>, _ reason: AudioGap.Reason) -> AudioChunk {
    .gap(AudioGap(frames: frames, sampleRate: 16_000, reason: reason))
  }

  @Test("Audio becomes a gap of the same frames while the gate is not open; gaps and notices pass")
  func states() async throws {
    let notice = AudioChunk.notice(AudioNotice(.damagedAudio, "damaged"))
    let script: [AudioChunk] = [
      .audio(block(0, 4)), notice, gap(4..<6, .damaged), .audio(block(6, 4)), .audio(block(10, 2)),
    ]
    let gate = ConsentGate()
    let source = GatedSource(ScriptedSource(format: .speech, script: script, expectedFrameCount: 12), gate: gate)
    #expect(source.expectedFrameCount == 12)
    #expect(try await source.next(maxFrames: 4) == gap(0..<4, .noConsent))
    #expect(try await source.next(maxFrames: 4) == notice)
    #expect(try await source.next(maxFrames: 4) == gap(4..<6, .damaged))
    try gate.grant(ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: "1"))
    #expect(try await source.next(maxFrames: 1) == .audio(block(6, 1)))
    gate.pause()
    #expect(try await source.next(maxFrames: 1) == gap(7..<8, .paused))
    gate.resume()
    #expect(try await source.next(maxFrames: 2) == .audio(block(8, 2)))
    gate.withdraw()
    #expect(try await source.next(maxFrames: 2) == gap(10..<12, .consentWithdrawn))
    #expect(try await source.next(maxFrames: 2) == nil)
  }

  /// A source during whose next block something happens.
  private struct EventfulSource: AudioSource {
    let format = AudioFormat.speech
    let expectedFrameCount: Int64? = nil
    let event: @Sendable () -> Void
    func next(maxFrames: Int) async throws -> AudioChunk? {
      event()
      return .audio(PCMBlock(format: .speech, startFrame: 0, samples: [1]))
    }
  }

  @Test("A block during which the gate opens or shuts does not pass")
  func changeWithin() async throws {
    let gate = try ConsentGate.opened()
    let shut = GatedSource(EventfulSource { gate.pause() }, gate: gate)
    #expect(try await shut.next(maxFrames: 1) == gap(0..<1, .paused))
    let opened = GatedSource(EventfulSource { gate.resume() }, gate: gate)
    #expect(try await opened.next(maxFrames: 1) == gap(0..<1, .paused))
    #expect(gate.state == .open)
  }
}
