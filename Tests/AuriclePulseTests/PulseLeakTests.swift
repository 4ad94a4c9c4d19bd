import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuriclePulse
import AuricleTestKit
import Foundation
import Testing

@Suite(.needsPulseAudio, .timeLimit(.minutes(5))) struct PulseLeakTests {
  @Test("Opening, failing, stopping and letting go leave no thread and no descriptor")
  func noLeak() async throws {
    // In a process of its own: other tests open and close things as well.
    await #expect(processExitsWith: .success) {
      let sink = PulseServer.Sink("speaker")
      let server = try await PulseServer(sinks: [sink])
      let silent = try SilentListener()
      try await cycle(server, sink, silent)
      let before = OpenThings.now
      for _ in 0..<20 { try await cycle(server, sink, silent) }
      guard try await eventually({ OpenThings.now.isWithin(before) }) else {
        fatalError("\(before) became \(OpenThings.now)")
      }
    }
  }
}

@Suite(.needsPulseAudio, .timeLimit(.minutes(5))) struct PulseRecoveryLeakTests {
  @Test("A recording that finds its server again and again leaves no thread and no descriptor behind")
  func noLeak() async throws {
    await #expect(processExitsWith: .success) {
      let sink = PulseServer.Sink("speaker")
      let server = try await PulseServer(sinks: [sink])
      let source = try await PulseSource.open(
        device: sink.monitorName, gate: .opened(), server: server.address, policy: .recover())
      try await restart(server, sink, source)
      let before = OpenThings.now
      for _ in 0..<6 { try await restart(server, sink, source) }
      guard try await eventually({ OpenThings.now.isWithin(before) }) else {
        fatalError("\(before) became \(OpenThings.now)")
      }
      source.stop()
      guard try await eventually({ OpenThings.now.threadCount == 0 }) else { fatalError("a thread is left") }
    }
  }
}

/// Kills and starts a server, and waits until the recording goes on.
private func restart(_ server: PulseServer, _ sink: PulseServer.Sink, _ source: PulseSource) async throws {
  try await server.restart(sinks: [sink])
  let accepted = source.ring.counts.accepted
  guard try await eventually({ source.ring.counts.accepted > accepted + 4_800 }) else { fatalError("it did not go on") }
}

/// Every way in which a connection begins and ends.
private func cycle(_ server: PulseServer, _ sink: PulseServer.Sink, _ silent: SilentListener) async throws {
  let stopped = try await PulseSource.open(device: sink.monitorName, gate: .opened(), server: server.address)
  guard try await eventually({ stopped.ring.counts.accepted > 0 }) else { fatalError("nothing was heard") }
  stopped.stop()
  _ = try await PulseSource.open(device: sink.monitorName, gate: .opened(), server: server.address)
  let other = PulseServer.Sink("headset")
  let number = try await server.add(other)
  let seeking = try await PulseSource.open(
    device: other.monitorName, gate: .opened(), server: server.address, policy: .recover())
  try await server.unload(number)
  guard try await eventually({ try await seeking.next(maxFrames: 4_096).isGone(other) }) else { fatalError("no event") }
  _ = try? await PulseSource.open(device: "nobody", gate: .opened(), server: server.address)
  _ = try? await PulseSource.open(gate: .opened(), server: "unix:/tmp/auricle-no-server/native")
  _ = try? await PulseDevices.list(server: silent.address, patience: .milliseconds(20))
}

extension AudioChunk? {
  /// Whether it tells that a sink is gone.
  fileprivate func isGone(_ sink: PulseServer.Sink) -> Bool {
    guard case .notice(let notice) = self else { return false }
    let event = CaptureEvent(notice)
    return event.kind == .deviceRemoved && event.details["device"] == sink.monitorName
  }
}

/// How many of the library's threads, and of descriptors, the process has.
private struct OpenThings: CustomStringConvertible {
  let threadCount: Int
  let descriptorCount: Int

  static var now: OpenThings {
    let files = FileManager.default
    let threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    let names = threads.map { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
    return OpenThings(
      threadCount: names.count { $0?.hasPrefix("auricle.pulse") == true },
      descriptorCount: (try? files.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0)
  }

  /// A descriptor or two belong to what the test itself runs.
  func isWithin(_ before: OpenThings) -> Bool {
    threadCount <= before.threadCount && descriptorCount <= before.descriptorCount + 2
  }

  var description: String { "\(threadCount) threads and \(descriptorCount) descriptors" }
}
