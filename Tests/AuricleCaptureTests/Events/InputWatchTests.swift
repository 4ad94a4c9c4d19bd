import AuricleAudio
import AuricleCapture
import Testing

@Suite("State follows samples") struct InputWatchTests {
  private static let stereo = AudioFormat.stereo8k

  /// What a watch says of samples that come in blocks of so many frames, each event with the frame behind the block.
  private func events(
    _ samples: [Float], blocks: Int, format: AudioFormat = .speech, limits: InputWatch.Limits = .init()
  ) -> [CaptureEvent] {
    var watch = InputWatch(format: format, limits: limits)
    var result: [CaptureEvent] = []
    let step = blocks * format.channelCount
    for start in stride(from: 0, to: samples.count, by: step) {
      let part = Array(samples[start..<min(start + step, samples.count)])
      let block = PCMBlock(format: format, startFrame: Int64(start / format.channelCount), samples: part)
      result += watch.heard(block)
    }
    return result
  }

  private func zeros(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }
  private func loud(_ count: Int) -> [Float] { (0..<count).map { $0.isMultiple(of: 3) ? 1 : 0.9 } }
  private func quiet(_ count: Int) -> [Float] { [Float](repeating: 0.01, count: count) }

  @Test(
    "C1: Two seconds of zeros are told once, and so is the sound after them", arguments: [1, 7, 160, 480, 4_096, .max])
  func silence(_ blocks: Int) {
    let samples = quiet(100) + zeros(31_999) + quiet(1) + zeros(40_000) + quiet(10) + zeros(32_000)
    let events = events(samples, blocks: min(blocks, samples.count))
    #expect(events.map(\.kind) == [.inputSilent, .inputRestored, .inputSilent])
    #expect(events.map { $0.details["frame"] } == ["64100", "72100", "104110"])
    #expect(events[0].details["seconds"] == "2.0")
  }

  @Test("The smallest sample in either channel is sound")
  func smallest() {
    let one: [Float] = (0..<40_000).flatMap { [0, $0.isMultiple(of: 15_999) ? .leastNonzeroMagnitude : -0.0] }
    #expect(events(one, blocks: 100, format: Self.stereo) == [])
    #expect(events(zeros(32_000), blocks: 100, format: Self.stereo).map(\.kind) == [.inputSilent])
  }

  @Test("Clipping is told when it lasts, at most every ten seconds", arguments: [1, 7, 160, 480, 4_096, .max])
  func clipping(_ blocks: Int) {
    let samples = quiet(16_000) + loud(16_000 * 25)
    let events = events(samples, blocks: min(blocks, samples.count))
    #expect(events.map(\.kind) == [.inputClipping, .inputClipping, .inputClipping])
    #expect(events.map { $0.details["frame"] } == ["16000", "192000", "368000"])
    #expect(events[0].details["share"]?.hasPrefix("0.33") == true)
  }

  @Test("A click is no clipping, and samples that are no numbers are no silence")
  func click() {
    #expect(events(quiet(8_000) + loud(40) + quiet(40_000), blocks: 160) == [])
    #expect(events([Float](repeating: .nan, count: 40_000), blocks: 160) == [])
  }

  @Test("A gap starts both counts anew")
  func gaps() {
    var watch = InputWatch(format: .speech)
    var events: [CaptureEvent] = []
    for second in 0..<8 as Range<Int64> {
      let frames = second * 16_000..<(second + 1) * 16_000
      if second.isMultiple(of: 2) {
        let samples = zeros(15_999) + [0]
        events += watch.heard(PCMBlock(format: .speech, startFrame: frames.lowerBound, samples: samples))
      } else {
        watch.missed(AudioGap(frames: frames, sampleRate: 16_000, reason: .paused))
      }
    }
    #expect(events == [])
  }

  @Test("C1: A stall is told once the stream has run, its latency allowed for, and once only")
  func stall() {
    var limits = InputWatch.Limits()
    limits.latency = .milliseconds(500)
    var watch = InputWatch(format: .speech, limits: limits)
    #expect(watch.patience == nil)
    #expect(watch.waited(.seconds(60)) == nil)
    #expect(watch.heard(PCMBlock(format: .speech, startFrame: 0, samples: quiet(160))) == [])
    #expect(watch.patience == .milliseconds(2_500))
    #expect(watch.waited(.milliseconds(2_499)) == nil)
    let event = watch.waited(.milliseconds(2_500))
    #expect(event?.kind == .inputStalled)
    #expect(event?.details == ["seconds": "2.5", "frame": "160"])
    #expect(watch.patience == nil)
    #expect(watch.waited(.seconds(9)) == nil)
    #expect(
      watch.heard(PCMBlock(format: .speech, startFrame: 160, samples: quiet(1))).map(\.kind) == [.inputRestored])
  }
}

extension AudioFormat {
  /// Two channels at 8 kHz.
  fileprivate static var stereo8k: AudioFormat {
    guard let format = try? AudioFormat(sampleRate: 8_000, channelCount: 2) else { preconditionFailure("a format") }
    return format
  }
}
