import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuriclePulse
import AuricleTestKit
import Foundation

/// Several recordings of one source of a sound server at once: what they lose.
struct CaptureLoad {
  /// What was measured, over all recordings.
  struct Figures: Encodable {
    let recordingCount: Int
    let seconds: Double
    let offeredFrames: Int64
    let droppedFrames: Int64
    /// The most that a recording's length differs from the wall clock.
    let worstDifference: Double
    let cpuPerAudioSecond: Double
  }

  let server: String
  let device: String
  let recordingCount = 8
  let duration = Duration.seconds(10)

  /// Measures on a server of its own.
  /// - Returns: `nil` where none is installed.
  static func runOnOwnServer() async throws -> Figures? {
    guard PulseServer.isInstalled else { return nil }
    let sink = PulseServer.Sink("bench")
    let server = try await PulseServer(sinks: [sink])
    defer { server.kill() }
    return try await CaptureLoad(server: server.address, device: sink.monitorName).run()
  }

  func run() async throws -> Figures {
    let before = Usage.now
    let recordings = try await withThrowingTaskGroup(of: (counts: CaptureCounts, difference: Double).self) { group in
      for _ in 0..<recordingCount { group.addTask { try await record() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let seconds = duration / .seconds(1)
    return Figures(
      recordingCount: recordingCount, seconds: seconds,
      offeredFrames: recordings.reduce(0) { $0 + $1.counts.offered },
      droppedFrames: recordings.reduce(0) { $0 + $1.counts.overrun + $1.counts.deviceLost },
      worstDifference: recordings.map { abs($0.difference) }.max() ?? 0,
      cpuPerAudioSecond: (Usage.now.cpuSeconds - before.cpuSeconds) / (seconds * Double(recordingCount)))
  }

  private func record() async throws -> (counts: CaptureCounts, difference: Double) {
    let gate = ConsentGate()
    try gate.grant(ConsentRecord(participants: ["bench"], grantedAtMilliseconds: 0, policyRevision: "1"))
    let source = try await PulseSource.open(device: device, gate: gate, server: server)
    while source.ring.counts.offered == 0 { try await Task.sleep(for: .milliseconds(1)) }
    let start = ContinuousClock.now
    let first = source.ring.counts.offered
    async let length: Int64 = {
      var frames: Int64 = 0
      while let chunk = try await source.next(maxFrames: 4_096) {
        if case .audio(let block) = chunk { frames += Int64(block.frameCount) }
      }
      return frames
    }()
    try await Task.sleep(for: duration)
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    source.stop()
    return (source.ring.counts, source.format.seconds(try await length - first) - elapsed)
  }
}
