import AuricleAudio
import AuricleConsent
import AuriclePulse
import AuricleTestKit
import Foundation
import Testing

// The example of the target's page, word for word.
func listen(to name: String?, gate: ConsentGate) async throws {
  for device in try await PulseDevices.list() { print(device.name, device.description) }
  let source = try await PulseSource.open(device: name, gate: gate)
  defer { source.stop() }
  while let chunk = try await source.next(maxFrames: 4_096) { print(chunk) }
}

@Test("The page's example runs until its device goes away", .needsPulseAudio, .timeLimit(.minutes(5)))
func documentationExample() async {
  // PULSE_SERVER belongs to a process, so the example gets one of its own.
  await #expect(processExitsWith: .success) {
    let sink = PulseServer.Sink("speaker")
    let server = try await PulseServer(sinks: [sink])
    setenv("PULSE_SERVER", server.address, 1)
    let task = Task { try await listen(to: sink.monitorName, gate: .opened()) }
    let isHeard = try await eventually {
      try await server.control(["list", "short", "source-outputs"]).isEmpty == false
    }
    server.kill()
    let error = await #expect(throws: AudioError.self) { try await task.value }
    #expect(isHeard)
    #expect(error?.kind == .serverLost)
  }
}
