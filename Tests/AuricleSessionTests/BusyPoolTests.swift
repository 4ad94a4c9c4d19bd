import AuricleAudio
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

/// A microphone that delivers at the speed of life, as its own thread has time.
private struct LiveSource: AudioSource {
  let stop: StopSignal
  let position = Guarded<Int64>(0)
  var format: AudioFormat { .speech }
  var expectedFrameCount: Int64? { nil }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    Self.waitTenMilliseconds()
    if stop.isStopped { return nil }
    let start = position.withLock { position in
      defer { position += 160 }
      return position
    }
    return Samples.block(start, 160)
  }

  private static func waitTenMilliseconds() { Thread.sleep(forTimeInterval: 0.01) }
}

@Suite("A busy task pool", .timeLimit(.minutes(5)))
struct BusyPoolTests {
  @Test("Recording goes on while every thread of the pool is taken")
  func busy() async throws {
    var bench = try RecordingBench()
    bench.script = nil
    let (writer, stop) = (bench.writer, bench.stop)
    let run = Task { [bench] in await bench.run(LiveSource(stop: stop), end: {}) }
    while writer.frameCount == 0 { await Task.yield() }
    let growths = await withTaskGroup(of: Int64.self) { group in
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
        group.addTask { Self.hog(writer) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    stop.stop()
    let seen = await run.value
    // Thirty blocks were due; a machine that is full of other work gets less done.
    #expect(growths.allSatisfy { $0 >= 5 * 160 }, "\(growths)")
    #expect(seen.report.audio.duration > 0.2)
  }

  /// Takes a thread of the pool for a while.
  /// - Returns: How many frames were recorded meanwhile.
  private static func hog(_ writer: MemoryWriter) -> Int64 {
    let before = writer.frameCount
    Thread.sleep(forTimeInterval: 0.3)
    return writer.frameCount - before
  }
}
