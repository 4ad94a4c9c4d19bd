import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuriclePulse
import AuricleTestKit
import Foundation
import Testing

@Suite(.needsPulseAudio, .serialized, .timeLimit(.minutes(5))) struct PulseSourceTests {
  static let sinks = [
    PulseServer.Sink("mono44", sampleRate: 44_100, channelCount: 1),
    PulseServer.Sink("stereo44", sampleRate: 44_100, channelCount: 2),
    PulseServer.Sink("mono48", sampleRate: 48_000, channelCount: 1),
    PulseServer.Sink("stereo48", sampleRate: 48_000, channelCount: 2),
  ]

  @Test("All sources are listed with their rate and channels, the default one marked")
  func list() async throws {
    let server = try await PulseServer(sinks: Self.sinks)
    try await server.load(["module-null-source", "source_name=mic", "rate=32000", "channels=1"])
    try await server.control(["set-default-source", "mic"])
    let devices = try await PulseDevices.list(server: server.address)
    #expect(devices.map(\.name) == Self.sinks.map(\.monitorName) + ["mic"])
    #expect(devices.map(\.isMonitor) == [true, true, true, true, false])
    #expect(devices.map(\.isDefault) == [false, false, false, false, true])
    #expect(devices.map(\.sampleRate) == [44_100, 44_100, 48_000, 48_000, 32_000])
    #expect(devices.map(\.channelCount) == [1, 2, 1, 2, 1])
    #expect(devices.allSatisfy { !$0.description.isEmpty })
  }

  @Test("What is played is heard, frame by frame, at the sink's own rate and channels", arguments: sinks)
  func everyFrame(_ sink: PulseServer.Sink) async throws {
    let server = try await PulseServer(sinks: [sink])
    let sound = NumberedSound(sink: sink, frameCount: sink.sampleRate * 3 / 2)
    let path = "/tmp/auricle-sound-\(UUID().uuidString).wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try sound.write(to: path)

    let source = try await PulseSource.open(device: sink.monitorName, gate: .opened(), server: server.address)
    #expect(source.format.sampleRate == sink.sampleRate)
    #expect(source.format.channelCount == sink.channelCount)
    async let everything = source.everything()
    try await server.play(path, on: sink)
    let played = source.ring.counts.offered
    #expect(try await eventually { source.ring.counts.offered > played + Int64(sink.sampleRate / 4) })
    source.stop()

    let heard = try await everything
    #expect(heard.sound == sound.samples)
    #expect(heard.gaps == [])
    #expect(heard.misplacedCount == 0)
    #expect(source.ring.counts.accepted == heard.end)
  }

  @Test("A source with many channels is heard as two")
  func manyChannels() async throws {
    let server = try await PulseServer(sinks: [PulseServer.Sink("wide", sampleRate: 48_000, channelCount: 6)])
    let source = try await PulseSource.open(device: "wide.monitor", gate: .opened(), server: server.address)
    #expect(source.device.channelCount == 6)
    #expect(source.format.channelCount == 2)
    #expect(try await eventually { source.ring.counts.accepted > 4_800 })
    source.stop()
    source.stop()
    let heard = try await source.everything()
    #expect(heard.sound == [])
  }

  @Test("A pause is a gap as long as it was on the wall clock, and nothing of it is heard")
  func pause() async throws {
    let sink = Self.sinks[3]
    let server = try await PulseServer(sinks: [sink])
    let gate = try ConsentGate.opened()
    let source = try await PulseSource.open(device: sink.monitorName, gate: gate, server: server.address)
    async let everything = source.everything()
    #expect(try await eventually { source.ring.counts.accepted > 9_600 })
    gate.pause()
    let start = ContinuousClock.now
    try await Task.sleep(for: .milliseconds(1_500))
    gate.resume()
    let paused = (ContinuousClock.now - start) / .seconds(1)
    let accepted = source.ring.counts.accepted
    #expect(try await eventually { source.ring.counts.accepted > accepted + 9_600 })
    source.stop()
    let heard = try await everything
    let missing = source.format.seconds(heard.missing(.paused))
    #expect(abs(missing - paused) <= 0.05, "\(missing) s are missing of a pause of \(paused) s")
    #expect(heard.gaps.allSatisfy { $0.reason == .paused })
    #expect(heard.misplacedCount == 0)
  }

  @Test("A device that is put to sleep leaves a gap as long as it slept")
  func sleepingDevice() async throws {
    let sink = Self.sinks[1]
    let server = try await PulseServer(sinks: [sink])
    let source = try await PulseSource.open(device: sink.monitorName, gate: .opened(), server: server.address)
    async let everything = source.everything()
    #expect(try await eventually { source.ring.counts.accepted > 8_820 })
    try await server.control(["suspend-sink", sink.name, "1"])
    let start = ContinuousClock.now
    try await Task.sleep(for: .seconds(1))
    try await server.control(["suspend-sink", sink.name, "0"])
    let asleep = (ContinuousClock.now - start) / .seconds(1)
    let accepted = source.ring.counts.accepted
    #expect(try await eventually { source.ring.counts.accepted > accepted + 8_820 })
    source.stop()
    let heard = try await everything
    let missing = source.format.seconds(heard.missing(.sourceLost))
    #expect(abs(missing - asleep) <= 0.05, "\(missing) s are missing of \(asleep) s")
    #expect(heard.misplacedCount == 0)
  }

  @Test("A server that stands still for a while costs no time: what it missed comes later")
  func frozenServer() async throws {
    let sink = Self.sinks[3]
    let server = try await PulseServer(sinks: [sink])
    let source = try await PulseSource.open(device: sink.monitorName, gate: .opened(), server: server.address)
    #expect(try await eventually { source.ring.counts.offered > 9_600 })
    let before = source.ring.counts.offered
    let start = ContinuousClock.now
    server.freeze()
    try await Task.sleep(for: .milliseconds(700))
    server.thaw()
    try await Task.sleep(for: .milliseconds(700))
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let length = source.format.seconds(source.ring.counts.offered - before)
    #expect(abs(length - elapsed) <= 0.08, "\(length) s came in \(elapsed) s")
  }

  @Test("Many tasks may stop a source at once, while it is read, also when the server stands still")
  func stopFromEverywhere() async throws {
    let sink = Self.sinks[2]
    let server = try await PulseServer(sinks: [sink])
    let source = try await PulseSource.open(device: sink.monitorName, gate: .opened(), server: server.address)
    async let everything = source.everything()
    #expect(try await eventually { source.ring.counts.offered > 0 })
    server.freeze()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { source.stop() } }
    }
    let heard = try await everything
    #expect(heard.end == source.ring.counts.accepted)
  }
}
