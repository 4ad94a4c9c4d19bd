import AuricleAudio
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleMedia

@Suite struct SpeechSourceTests {
  private static let rates = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 44_101, 48_000, 96_000, 192_000]

  private func speech(
    _ samples: [Float], rate: Int, channels: Int = 1, largestBlock: Int = .max, maxFrames: Int = 4_096
  ) async throws -> Heard {
    let format = try AudioFormat(sampleRate: rate, channelCount: channels)
    let source = ScriptedSource(format: format, samples: samples, largestBlock: largestBlock)
    return try await hear(SpeechSource(source), maxFrames: maxFrames)
  }

  @Test("The samples do not depend on the blocks, neither those that come nor those that are wanted", arguments: rates)
  func blocksDoNotMatter(_ rate: Int) async throws {
    let samples = Sounds.noise(rate / 2 + 17)
    let whole = try await speech(samples, rate: rate, maxFrames: .max)
    for size in [1, 7, 160, 480, 4_096] {
      #expect(try await speech(samples, rate: rate, largestBlock: size).samples == whole.samples)
      #expect(try await speech(samples, rate: rate, maxFrames: size).samples == whole.samples)
    }
  }

  @Test("The number of frames is exact, rounded to the nearest", arguments: rates)
  func countIsExact(_ rate: Int) async throws {
    for count in [0, 1, 2, 3, 50, 441, 1_000, 12_345] {
      let heard = try await speech(Sounds.noise(count), rate: rate)
      #expect(heard.samples.count == Int((Double(count) * 16_000 / Double(rate)).rounded()))
    }
  }

  @Test("A click stays where it was, to within a millisecond", arguments: rates)
  func clicksKeepTheirPlace(_ rate: Int) async throws {
    for second in [0.0, 0.1, 0.7] {
      var samples = [Float](repeating: 0, count: rate)
      samples[Int(second * Double(rate))] = 1
      let heard = try await speech(samples, rate: rate)
      let place = heard.samples.indices.max { abs(heard.samples[$0]) < abs(heard.samples[$1]) }
      #expect(abs(Double(try #require(place)) / 16_000 - second) < 0.001)
    }
  }

  @Test("A tone keeps its pitch and its loudness", arguments: rates)
  func tonesSurvive(_ rate: Int) async throws {
    let tone = (0..<rate).map { Float(0.5 * sin(2 * .pi * 440 * Double($0) / Double(rate))) }
    let heard = try await speech(tone, rate: rate)
    let ideal = (0..<16_000).map { Float(0.5 * sin(2 * .pi * 440 * Double($0) / 16_000)) }
    let error = zip(heard.samples, ideal).dropFirst(1_600).dropLast(1_600).map { abs($0 - $1) }.max()
    #expect(try #require(error) < 0.001)
  }

  @Test("What is 16 kHz mono already passes untouched, at once")
  func passesThrough() async throws {
    let samples: [Float] = Sounds.noise(1_000) + [3, -7]
    let heard = try await speech(samples, rate: 16_000, largestBlock: 100)
    #expect(heard.samples == samples)
    #expect(heard.blockSizes.allSatisfy { $0 <= 100 })
  }

  @Test("Channels are averaged")
  func mixesDown() async throws {
    let heard = try await speech([1, 0, -0.5, 0.5, 0.25, 0.25], rate: 16_000, channels: 2)
    #expect(heard.samples == [0.5, 0, 0.25])
  }

  @Test("Samples beyond all measure come out as numbers")
  func enormousSamples() async throws {
    let heard = try await speech([Float](repeating: .greatestFiniteMagnitude, count: 5_000), rate: 44_100)
    #expect(heard.samples.count == 1_814)
    #expect(heard.has(.nonFiniteSamples))
  }

  @Test("Little is held back: sound comes out within 70 ms", arguments: rates)
  func latencyIsSmall(_ rate: Int) async throws {
    var converter = SpeechConverter(try AudioFormat(sampleRate: rate, channelCount: 1), startFrame: 0)
    var count = 0
    for step in 1...100 {
      count += try converter.convert(Sounds.noise(rate / 50)).count
      #expect(Double(step) / 50 - Double(count) / 16_000 < 0.07)
    }
  }

  @Test("Gaps and notices keep their place in the numbering")
  func gapsKeepTheirPlace() async throws {
    let format = try AudioFormat(sampleRate: 44_100, channelCount: 1)
    let notice = AudioNotice(.damagedAudio, "so it goes")
    let samples = Sounds.noise(44_100)
    let source = ScriptedSource(
      format: format,
      script: [
        .audio(PCMBlock(format: format, startFrame: 0, samples: samples)),
        .gap(AudioGap(frames: 44_100..<66_150, sampleRate: 44_100, reason: .overrun)),
        .notice(notice),
        .audio(PCMBlock(format: format, startFrame: 66_150, samples: samples)),
        .gap(AudioGap(frames: 110_250..<110_251, sampleRate: 44_100, reason: .overrun)),
      ])
    let heard = try await hear(SpeechSource(source))
    #expect(heard.gaps.first == AudioGap(frames: 16_000..<24_000, sampleRate: 16_000, reason: .overrun))
    #expect(heard.notices == [notice])
    #expect(heard.samples.count == 32_000)
    #expect(heard.samples.prefix(16_000) == heard.samples.suffix(16_000))
  }

  @Test("A failure of the source is passed on, behind the sound before it")
  func failuresPass() async throws {
    let format = try AudioFormat(sampleRate: 8_000, channelCount: 1)
    let block = PCMBlock(format: format, startFrame: 0, samples: Sounds.noise(8_000))
    let failing = ScriptedSource(
      format: format, script: [.audio(block)], failure: AudioError(.readFailed, "the disk is gone"))
    let source = SpeechSource(failing)
    var count = 0
    let error = try await failure {
      while let chunk = try await source.next(maxFrames: 1_000) {
        if case .audio(let block) = chunk { count += block.frameCount }
      }
    }
    #expect(error?.kind == .readFailed)
    #expect(count > 14_000)
  }

  @Test("Frame numbers are rounded to the nearest, however large")
  func frameNumbers() throws {
    let format = try AudioFormat(sampleRate: 44_100, channelCount: 1)
    #expect(SpeechConverter.outputFrame(441, format) == 160)
    #expect(SpeechConverter.outputFrame(1, format) == 0)
    #expect(SpeechConverter.outputFrame(2, format) == 1)
    #expect(SpeechConverter.outputFrame(.max, format) == 3_346_348_131_285_179_431)
    #expect(SpeechConverter.outputFrame(.max, try AudioFormat(sampleRate: 8_000, channelCount: 1)) == .max)
  }
}
