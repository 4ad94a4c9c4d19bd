import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

/// A microphone that delivers into a ring at the speed of life, from a thread of its own, until it is stopped.
private func microphone(_ stop: StopSignal) throws -> RingSource<ContinuousClock> {
  let gate = ConsentGate()
  try gate.grant(ConsentRecord(participants: ["p"], grantedAtMilliseconds: 0, policyRevision: "r"))
  let source = RingSource(CaptureRing(format: .speech, gate: gate))
  let ring = source.ring
  Thread.detachNewThread {
    let packet = [Float](repeating: 0.1, count: 160)
    while !stop.isStopped {
      packet.withUnsafeBufferPointer { ring.offer($0) }
      Thread.sleep(forTimeInterval: 0.01)
    }
    source.finish()
  }
  return source
}

@Suite("A busy task pool", .timeLimit(.minutes(5)))
struct BusyPoolTests {
  @Test("Recording goes on while every thread of the pool is taken")
  func busy() async throws {
    var bench = try RecordingBench()
    bench.script = nil
    let (writer, stop) = (bench.writer, bench.stop)
    let source = try microphone(stop)
    let run = Task { [bench] in await bench.run(source, end: {}) }
    while writer.frameCount == 0 { try? await Task.sleep(for: .milliseconds(1)) }
    let growths = await withTaskGroup(of: Int64.self) { group in
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
        group.addTask { Self.hog(writer) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    stop.stop()
    let seen = await run.value
    // Fifty blocks were due; a machine that is full of other work gets less done.
    #expect(growths.allSatisfy { $0 >= 5 * 160 }, "\(growths)")
    #expect(seen.report.audio.duration > 0.2)
  }

  /// Takes a thread of the pool and its processor for a while.
  /// - Returns: How many frames were recorded meanwhile.
  private static func hog(_ writer: MemoryWriter) -> Int64 {
    let before = writer.frameCount
    let end = Date(timeIntervalSinceNow: 0.5)
    while Date() < end {}
    return writer.frameCount - before
  }
}
