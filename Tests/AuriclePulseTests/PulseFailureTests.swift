import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuriclePulse
import AuricleTestKit
import Foundation
import Testing

@Suite(.needsPulseAudio, .serialized, .timeLimit(.minutes(5))) struct PulseFailureTests {
  private let sink = PulseServer.Sink("speaker")

  private func failure(_ device: String?, _ server: String) async -> AudioError? {
    await #expect(throws: AudioError.self) {
      try await PulseSource.open(
        device: device, gate: .opened(), server: server, patience: .milliseconds(500))
    }
  }

  @Test("Without a server the message says what to do")
  func noServer() async {
    let address = "unix:/tmp/auricle-no-server/native"
    let error = await failure(nil, address)
    #expect(error?.kind == .serverLost)
    #expect(error?.message.contains("PULSE_SERVER") == true)
    #expect(error?.message.contains(address) == true)
    let listing = await #expect(throws: AudioError.self) { try await PulseDevices.list(server: address) }
    #expect(listing == error)
  }

  @Test("A server that never answers is given up")
  func silentServer() async throws {
    let listener = try SilentListener()
    #expect(await failure(nil, listener.address)?.kind == .timedOut)
  }

  @Test("An unknown source lists what there is; a default monitor is not recorded unless it is named")
  func unknownAndMonitor() async throws {
    let server = try await PulseServer(sinks: [sink])
    let unknown = await failure("speakr.monitor", server.address)
    #expect(unknown?.kind == .notFound)
    #expect(unknown?.message.contains("did you mean speaker.monitor?") == true)
    let monitor = await failure(nil, server.address)
    #expect(monitor?.kind == .notFound)
    #expect(monitor?.message.contains("--source") == true)
    try await server.load(["module-null-source", "source_name=mic"])
    try await server.control(["set-default-source", "mic"])
    let source = try await PulseSource.open(gate: .opened(), server: server.address)
    #expect(source.device.name == "mic")
  }

  @Test("C5: A server that does not let this user in is an error, and not silence")
  func notPermitted() async throws {
    let server = try await PulseServer(sinks: [sink])
    let port = Int.random(in: 20_000..<30_000)
    // By the network it asks for a cookie, and the server has one of its own.
    try await server.load(["module-native-protocol-tcp", "listen=127.0.0.1", "port=\(port)"])
    #expect(await failure(sink.monitorName, "tcp:127.0.0.1:\(port)")?.kind == .notPermitted)
  }

  @Test("A killed server ends the source with its reason, after what was heard")
  func killedServer() async throws {
    let server = try await PulseServer(sinks: [sink])
    let source = try await PulseSource.open(device: sink.monitorName, gate: .opened(), server: server.address)
    #expect(try await eventually { source.ring.counts.accepted > 4_800 })
    server.kill()
    let (heard, error) = await source.untilFailure()
    #expect(error?.kind == .serverLost)
    #expect(heard.end == source.ring.counts.accepted)
    #expect(await source.untilFailure().error == error)
    source.stop()
    #expect(await source.untilFailure().error == error)
  }

  @Test("A device that is taken away ends the source, although there is another")
  func removedDevice() async throws {
    let server = try await PulseServer(sinks: [sink])
    let other = PulseServer.Sink("headset")
    let number = try await server.add(other)
    let source = try await PulseSource.open(device: other.monitorName, gate: .opened(), server: server.address)
    #expect(try await eventually { source.ring.counts.accepted > 4_800 })
    try await server.unload(number)
    let (heard, error) = await source.untilFailure()
    #expect(error?.kind == .deviceLost)
    #expect(error?.message.contains(other.monitorName) == true)
    #expect(heard.end == source.ring.counts.accepted)
  }
}
