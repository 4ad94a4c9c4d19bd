import AuricleAudio
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

@Suite("The audio of a session while it is recorded", .timeLimit(.minutes(5)))
struct SessionAudioTests {
  private func bytes(_ audio: SessionAudio) async -> [UInt8] { await audio.reduce(into: []) { $0 += $1 } }

  @Test("§4: All of it, in order, as 16-bit integers, with silence where something is missing")
  func whole() async throws {
    let bench = try SessionBench(wantsTranscript: false)
    let session = bench.session()
    let early = session.audio()
    let reader = Task { await bytes(early) }
    bench.source.speak(seconds: 1, 0.5)
    bench.source.lose(seconds: 0.25)
    bench.source.speak(seconds: 0.5, -1)
    try await session.start()
    let late = session.audio()
    session.stop()
    let half = [[UInt8]](repeating: [0x00, 0x40], count: 16_000).flatMap { $0 }
    let silence = [UInt8](repeating: 0, count: 8_000)
    let low = [[UInt8]](repeating: [0x00, 0x80], count: 8_000).flatMap { $0 }
    let all = half + silence + low
    #expect(await reader.value == all)
    #expect(await bytes(late) == all)
    #expect(await bytes(session.audio()) == all)
  }

  @Test("§4: Samples are rounded to the nearest and cut to the range; what is no number is 0")
  func rounding() {
    let samples: [Float] = [0, 1, -1, 2, -2, 0.5 / 32_768, 1.5 / 32_768, .nan, -1 / 32_768]
    let bytes = SessionAudio.Iterator.bytes(PCMBlock(format: .speech, startFrame: 0, samples: samples))
    let values = stride(from: 0, to: bytes.count, by: 2).map { place in
      Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
    }
    #expect(values == [0, 32_767, -32_768, 32_767, -32_768, 0, 2, 0, -1])
  }

  @Test("§4: A reader that never comes back blocks neither the capture nor the session")
  func slow() async throws {
    let bench = try SessionBench(wantsTranscript: false)
    let session = bench.session()
    let gate = ScriptGate()
    let audio = session.audio()
    let reader = Task {
      var count = 0
      for await bytes in audio {
        count += bytes.count
        await gate.pass()
      }
      return count
    }
    try await session.start()
    bench.source.speak(seconds: 10)
    session.stop()
    #expect(await session.seen().report.audio.duration == 10)
    gate.open()
    #expect(await reader.value == 320_000)
  }

  @Test("§4: It ends at once for a session that does not start, and when its task is cancelled")
  func ends() async throws {
    var bench = try SessionBench(wantsTranscript: false)
    bench.whileOpening = { throw AudioError(.notFound, "none") }
    let session = bench.session()
    let early = session.audio()
    _ = await failure(of: session)
    #expect(await bytes(early).isEmpty)
    #expect(await bytes(session.audio()).isEmpty)
    let other = try SessionBench(wantsTranscript: false).session()
    let task = Task { [audio = other.audio()] in await bytes(audio) }
    task.cancel()
    #expect(await task.value.isEmpty)
  }
}
