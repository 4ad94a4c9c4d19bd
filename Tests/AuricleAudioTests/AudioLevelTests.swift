import AuricleAudio
import Testing

@Suite struct AudioLevelTests {
  @Test("Peak and mean are of the magnitude, over all channels")
  func values() throws {
    let stereo = try AudioFormat(sampleRate: 8_000, channelCount: 2)
    let level = AudioLevel(PCMBlock(format: stereo, startFrame: 0, samples: [0.5, -0.5, -0.5, 0.5]))
    #expect(level == AudioLevel(peak: 0.5, rms: 0.5))
    #expect(!level.isClipping)
    #expect(AudioLevel([Float(0), 0, 0, -0.8]) == AudioLevel(peak: 0.8, rms: 0.4))
  }

  @Test("Nothing, and what is no number, is silence")
  func silence() {
    #expect(AudioLevel([]) == .silence)
    #expect(AudioLevel([Float.nan, .infinity, 0]) == .silence)
  }

  @Test("A sample at the end of the 16-bit scale clips, one before it does not")
  func clipping() {
    #expect(AudioLevel([Float(0.1), 32_767.0 / 32_768]).isClipping)
    #expect(AudioLevel([Float(-1)]).isClipping)
    #expect(AudioLevel([Float(3)]).isClipping)
    #expect(!AudioLevel([Float(32_766.0 / 32_768), -32_766.0 / 32_768]).isClipping)
  }
}
