@testable import AuricleLive
import Testing

@Suite("Segments of speech")
struct SpeechSegmenterTests {
  private typealias Closed = (segment: SpeechSegment, endFrame: Int64)

  private func closed(_ samples: [Float], policy: LivePolicy = LivePolicy()) -> [Closed] {
    var segmenter = SpeechSegmenter(policy: policy)
    var actions = windows(of: samples).flatMap { segmenter.take($0) }
    actions += segmenter.interrupt(at: Int64(samples.count), resumingAt: Int64(samples.count))
    return actions.compactMap { action in
      if case .closed(let segment, let endFrame) = action { (segment, endFrame) } else { nil }
    }
  }

  @Test("Silence has none")
  func silence() {
    #expect(closed(audio([Float](repeating: 0, count: 50))).isEmpty)
  }

  @Test("A segment has its pre-roll, its post-roll and what was said between")
  func single() throws {
    let found = closed(
      audio([Float](repeating: 0, count: 10) + [0.5, 0.5, 0.5, 0.5] + [Float](repeating: 0, count: 10)))
    let only = try #require(found.first)
    #expect(found.count == 1)
    #expect(abs(only.segment.onsetFrame - 16_000) <= 512)
    #expect(only.segment.startFrame == only.segment.onsetFrame - 8_000)
    #expect(abs(only.segment.speechEndFrame - 22_400) <= 512)
    #expect(only.endFrame == only.segment.speechEndFrame + 4_800)
  }

  @Test("A short pause stays inside, a long one ends the segment")
  func pauses() {
    let speech = [Float](repeating: 0.5, count: 8)
    #expect(closed(audio(speech + [0, 0, 0, 0] + speech)).count == 1)
    #expect(closed(audio(speech + [0, 0, 0, 0, 0, 0, 0] + speech)).count == 2)
  }

  @Test("The pre-roll never reaches into the segment before")
  func preRollFloor() {
    let speech = [Float](repeating: 0.5, count: 8)
    let found = closed(audio(speech + [0, 0, 0, 0, 0, 0, 0] + speech))
    #expect(found[1].segment.startFrame >= found[0].endFrame)
  }

  @Test("Speech without a pause is cut at its quietest place, and the rest goes on there")
  func cut() {
    var levels = [Float](repeating: 0.5, count: 200)
    levels[120] = 0.12
    let found = closed(audio(levels))
    #expect(found.count == 2)
    #expect((192_000...193_600).contains(found[0].endFrame))
    #expect(found[1].segment.startFrame == found[0].endFrame)
  }

  @Test("A long segment is over at a short silence, which a short one outlives")
  func longSegment() {
    let pause: [Float] = [0, 0, 0]
    let short = [Float](repeating: 0.5, count: 20)
    let long = [Float](repeating: 0.5, count: 65)
    #expect(closed(audio(short + pause + short)).count == 1)
    let found = closed(audio(long + pause + short))
    #expect(found.count == 2)
    #expect(found[0].endFrame <= found[1].segment.startFrame)
  }

  @Test("Minutes without a pause still end segments in time")
  func endless() {
    let found = closed(audio([Float](repeating: 0.5, count: 1_800)))
    #expect(found.count >= 12)
    let longest = found.map { $0.endFrame - $0.segment.startFrame }.max() ?? 0
    #expect(longest <= 15 * 16_000 + 512)
    for (one, next) in zip(found, found.dropFirst()) { #expect(one.endFrame == next.segment.startFrame) }
  }

  @Test("No frame is in two segments, and no speech is in none", arguments: 0..<40)
  func partition(seed: Int) {
    let samples = randomAudio(seed: UInt64(seed), tenths: 600)
    let found = closed(samples)
    for (one, next) in zip(found, found.dropFirst()) {
      #expect(one.endFrame <= next.segment.startFrame)
      #expect(one.segment.index + 1 == next.segment.index)
    }
    for one in found {
      #expect(one.segment.startFrame <= one.segment.onsetFrame)
      #expect(one.segment.onsetFrame < one.segment.speechEndFrame)
      #expect(one.segment.speechEndFrame <= one.endFrame)
      #expect(one.endFrame <= Int64(samples.count))
    }
    for window in windows(of: samples) where window.isSpeech {
      let middle = window.startFrame + 256
      let holders = found.filter { $0.segment.startFrame <= middle && middle < $0.endFrame }
      #expect(holders.count == 1)
    }
  }
}
