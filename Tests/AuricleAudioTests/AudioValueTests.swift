import AuricleAudio
import Testing

@Suite struct AudioFormatTests {
  @Test("Rates and channels outside the range are refused", arguments: [(0, 1), (-1, 1), (999, 1), (768_001, 1)])
  func rates(_ rate: Int, _ channels: Int) {
    #expect(throws: AudioError.self) { try AudioFormat(sampleRate: rate, channelCount: channels) }
  }

  @Test("Channel counts outside the range are refused", arguments: [0, -1, 65, .max])
  func channels(_ count: Int) {
    let error = #expect(throws: AudioError.self) { try AudioFormat(sampleRate: 16_000, channelCount: count) }
    #expect(error?.kind == .unsupportedFormat)
  }

  @Test("The ends of the ranges are taken")
  func ends() throws {
    #expect(try AudioFormat(sampleRate: 1_000, channelCount: 64).sampleRate == 1_000)
    #expect(try AudioFormat(sampleRate: 768_000, channelCount: 1).channelCount == 1)
  }

  @Test("Frames and seconds turn into each other, rounded to the nearest frame")
  func times() {
    #expect(AudioFormat.speech.seconds(24_000) == 1.5)
    #expect(AudioFormat.speech.frames(seconds: 1.5) == 24_000)
    #expect(AudioFormat.speech.frames(seconds: 0.00004) == 1)
    #expect(AudioFormat.speech.frames(seconds: -0.5) == -8_000)
  }

  @Test("A time that no file can hold traps nothing")
  func wildTimes() {
    #expect(AudioFormat.speech.frames(seconds: .nan) == 0)
    #expect(AudioFormat.speech.frames(seconds: .infinity) == 0)
    #expect(AudioFormat.speech.frames(seconds: 1e300) == 1 << 62)
    #expect(AudioFormat.speech.frames(seconds: -1e300) == -(1 << 62))
  }
}

@Suite struct PCMBlockTests {
  @Test("A block knows its frames")
  func frames() throws {
    let stereo = try AudioFormat(sampleRate: 8_000, channelCount: 2)
    let block = PCMBlock(format: stereo, startFrame: 10, samples: [1, 2, 3, 4, 5, 6])
    #expect(block.frameCount == 3)
    #expect(block.frames == 10..<13)
  }
}

@Suite struct SampleSanitizerTests {
  @Test("What is no number becomes silence, is counted, and is told once")
  func replaces() {
    var sanitizer = SampleSanitizer()
    var samples: [Float] = [1, .nan, -2, .infinity]
    #expect(sanitizer.clean(&samples)?.kind == .nonFiniteSamples)
    #expect(samples == [1, 0, -2, 0])
    samples = [-.infinity]
    #expect(sanitizer.clean(&samples) == nil)
    #expect(samples == [0])
    #expect(sanitizer.replacedCount == 3)
  }

  @Test("Numbers of any size are left alone")
  func leavesNumbers() {
    var sanitizer = SampleSanitizer()
    var samples: [Float] = [0, -1, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
    let before = samples
    #expect(sanitizer.clean(&samples) == nil)
    #expect(samples == before)
  }
}
