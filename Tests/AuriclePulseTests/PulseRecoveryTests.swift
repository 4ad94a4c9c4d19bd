import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuricleTestKit
import CPulse
import Foundation
import Testing

@testable import AuriclePulse

@Suite("What happens to a device while it is recorded", .needsPulseAudio, .serialized, .timeLimit(.minutes(5)))
struct PulseRecoveryTests {
  private let speaker = PulseServer.Sink("speaker")
  private let headset = PulseServer.Sink("headset")

  /// A recording of a sine, measured against the clock.
  private struct Take {
    let server: PulseServer
    let source: PulseSource
    private let everything: Task<Heard, any Error>
    private let start: (time: ContinuousClock.Instant, offered: Int64)

    init(
      _ server: PulseServer, _ device: String, policy: CapturePolicy = .recover(), allowsMoves: Bool = false
    ) async throws {
      self.server = server
      let source = try await PulseSource.open(
        device: device, gate: .opened(),
        PulseSetup(server: server.address, patience: .seconds(5), policy: policy, allowsMoves: allowsMoves))
      self.source = source
      everything = Task {
        var heard = Heard()
        while let chunk = try await source.next(maxFrames: 4_096) { heard.add(chunk) }
        return heard
      }
      #expect(try await eventually { source.ring.counts.offered > 4_800 })
      start = (.now, source.ring.counts.offered)
    }

    /// Waits until so much more was heard.
    func hear(seconds: Double) async throws {
      let accepted = source.ring.counts.accepted + source.format.frames(seconds: seconds)
      #expect(try await eventually { source.ring.counts.accepted >= accepted })
    }

    /// Ends it, and compares its length with the clock.
    func end() async throws -> Heard {
      let seconds = source.format.seconds(source.ring.counts.offered - start.offered)
      let elapsed = (ContinuousClock.now - start.time) / .seconds(1)
      #expect(abs(seconds - elapsed) <= 0.1, "\(seconds) s came in \(elapsed) s")
      source.stop()
      let heard = try await everything.value
      #expect(heard.misplacedCount == 0)
      #expect(heard.end == source.ring.counts.offered)
      return heard
    }

    func failure() async -> AudioError? {
      do { _ = try await everything.value } catch { return error as? AudioError }
      return nil
    }
  }

  @Test("C1, C3: A server that is killed and started again leaves a gap as long as it was away")
  func serverRestarts() async throws {
    let server = try await PulseServer(sinks: [speaker])
    try await server.playSine(440, on: speaker)
    let take = try await Take(server, speaker.monitorName)
    try await take.hear(seconds: 0.5)
    server.kill()
    try await Task.sleep(for: .milliseconds(700))
    try await server.restart(sinks: [speaker])
    try await server.playSine(440, on: speaker)
    try await take.hear(seconds: 1.2)
    let heard = try await take.end()
    #expect(heard.events(.serverLost, .serverRestored).map(\.kind) == [.serverLost, .serverRestored])
    #expect(heard.events.allSatisfy { $0.details["device"] == speaker.monitorName })
    // It was away for that long at least; that the whole is right, the end has compared with the clock.
    #expect(take.source.format.seconds(heard.missing(.sourceLost)) > 0.65)
    #expect(heard.gaps.allSatisfy { $0.reason == .sourceLost })
    #expect(abs(heard.pitch(lastSeconds: 0.5, take.source.format) - 440) < 1)
  }

  @Test("C3, C4: A device that comes back with another rate and fewer channels plays at the right speed")
  func deviceReturns() async throws {
    let server = try await PulseServer(sinks: [speaker])
    let number = try await server.add(headset)
    try await server.playSine(440, on: headset)
    let take = try await Take(server, headset.monitorName)
    try await take.hear(seconds: 0.5)
    try await server.unload(number)
    try await Task.sleep(for: .milliseconds(600))
    let other = PulseServer.Sink("headset", sampleRate: 16_000, channelCount: 1)
    try await server.add(other)
    try await server.playSine(440, on: other)
    try await take.hear(seconds: 1.2)
    #expect(take.source.device.sampleRate == 16_000)
    #expect(take.source.format.sampleRate == 48_000)
    let heard = try await take.end()
    let events = heard.events(.deviceRemoved, .deviceAdded, .formatChanged)
    #expect(events.map(\.kind) == [.deviceRemoved, .deviceAdded, .formatChanged])
    #expect(events.allSatisfy { $0.details["device"] == headset.monitorName })
    #expect(events.last?.details["fromSampleRate"] == "48000")
    #expect(events.last?.details["toSampleRate"] == "16000")
    #expect(events.last?.details["toChannelCount"] == "1")
    #expect(heard.missing(.sourceLost) > 28_800)
    #expect(abs(heard.pitch(lastSeconds: 0.5, take.source.format) - 440) < 1)
  }

  @Test("C1: A device that is muted shows as silent, a server that stands still as stalled, and sound as sound again")
  func watched() async throws {
    let server = try await PulseServer(sinks: [speaker])
    try await server.playSine(440, on: speaker)
    let pulse = try await PulseSource.open(device: speaker.monitorName, gate: .opened(), server: server.address)
    let source = WatchedSource(pulse)
    func nextEvent() async throws -> CaptureEvent? {
      while let chunk = try await source.next(maxFrames: 4_096) {
        if case .notice(let notice) = chunk { return CaptureEvent(notice) }
      }
      return nil
    }
    _ = try await source.next(maxFrames: 1)
    try await server.control(["set-source-mute", speaker.monitorName, "1"])
    #expect(try await nextEvent()?.kind == .inputSilent)
    try await server.control(["set-source-mute", speaker.monitorName, "0"])
    #expect(try await nextEvent()?.kind == .inputRestored)
    server.freeze()
    #expect(try await nextEvent()?.kind == .inputStalled)
    server.thaw()
    #expect(try await nextEvent()?.kind == .inputRestored)
    pulse.stop()
  }

  @Test("C3: Another default is told, and the device stays; a volume and a mute are nothing of the kind")
  func otherDefault() async throws {
    let server = try await PulseServer(sinks: [speaker, headset])
    try await server.control(["set-default-source", speaker.monitorName])
    let take = try await Take(server, speaker.monitorName)
    try await server.control(["set-source-volume", speaker.monitorName, "30%"])
    try await server.control(["set-source-mute", speaker.monitorName, "1"])
    try await server.control(["set-sink-volume", speaker.name, "30%"])
    try await take.hear(seconds: 0.3)
    try await server.control(["set-default-source", headset.monitorName])
    await #expect(throws: PulseServer.Failure.self) { try await server.moveRecording(to: headset.monitorName) }
    try await take.hear(seconds: 0.3)
    #expect(take.source.device.name == speaker.monitorName)
    let heard = try await take.end()
    #expect(heard.events.map(\.kind) == [.defaultDeviceChanged])
    #expect(
      heard.events.first?.details
        == ["from": speaker.monitorName, "to": headset.monitorName, "isMonitor": "true"])
    #expect(heard.gaps == [])
  }

  @Test("C1: A device that sleeps and wakes is told, with the time that it slept")
  func sleeps() async throws {
    let server = try await PulseServer(sinks: [speaker])
    let take = try await Take(server, speaker.monitorName)
    try await server.control(["suspend-sink", speaker.name, "1"])
    try await Task.sleep(for: .milliseconds(800))
    try await server.control(["suspend-sink", speaker.name, "0"])
    try await take.hear(seconds: 0.3)
    let heard = try await take.end()
    #expect(heard.events.map(\.kind) == [.streamSuspended, .streamResumed])
    let seconds = Double(heard.events.last?.details["seconds"] ?? "") ?? 0
    #expect(abs(seconds - take.source.format.seconds(heard.missing(.sourceLost))) < 0.01)
    #expect(seconds > 0.7)
  }

  @Test("C3: By choice the new default is recorded instead, told as a move; a monitor never stands in for a microphone")
  func followsDefault() async throws {
    let server = try await PulseServer(sinks: [speaker])
    let microphone = try await server.load(["module-null-source", "source_name=mic"])
    let take = try await Take(server, "mic", policy: .recover(onto: .followDefault))
    try await server.unload(microphone)
    try await Task.sleep(for: .milliseconds(300))
    let waiting = take.source.ring.counts
    try await Task.sleep(for: .milliseconds(600))
    #expect(take.source.ring.counts == waiting)
    #expect(take.source.device.name == "mic")
    try await server.load(["module-null-source", "source_name=usb"])
    try await server.control(["set-default-source", "usb"])
    try await take.hear(seconds: 0.3)
    #expect(take.source.device.name == "usb")
    let heard = try await take.end()
    let events = heard.events(.deviceRemoved, .defaultDeviceChanged, .deviceAdded, .streamMoved)
    #expect(events.prefix(2).map(\.kind) == [.deviceRemoved, .defaultDeviceChanged])
    #expect(events[1].details == ["from": "mic", "to": speaker.monitorName, "isMonitor": "true"])
    #expect(events.last?.kind == .streamMoved)
    #expect(events.last?.details == ["from": "mic", "to": "usb"])
    #expect(events.contains { $0.kind == .deviceAdded && $0.details["device"] == "usb" })
    #expect(heard.missing(.sourceLost) > 0)
  }

  @Test("A move by the server is told, and the device in use is the one reported")
  func moved() async throws {
    let server = try await PulseServer(sinks: [speaker, headset])
    let take = try await Take(server, speaker.monitorName, allowsMoves: true)
    let places = [headset.monitorName, speaker.monitorName, headset.monitorName]
    for place in places {
      try await server.moveRecording(to: place)
      try await take.hear(seconds: 0.3)
      #expect(take.source.device.name == place)
    }
    let heard = try await take.end()
    #expect(heard.events.map(\.kind) == [.streamMoved, .streamMoved, .streamMoved])
    #expect(heard.events.map { $0.details["to"] } == places)
    #expect(heard.events.first?.details["from"] == speaker.monitorName)
  }

  @Test("C3: A move from a microphone to a monitor ends the recording, and nothing of the monitor is heard")
  func movedToMonitor() async throws {
    let server = try await PulseServer(sinks: [speaker])
    try await server.load(["module-null-source", "source_name=mic"])
    try await server.playSine(440, on: speaker)
    let take = try await Take(server, "mic", policy: .end, allowsMoves: true)
    try await server.moveRecording(to: speaker.monitorName)
    let error = await take.failure()
    #expect(error?.kind == .deviceLost)
    #expect(error?.message.contains(speaker.monitorName) == true)
    #expect(take.source.device.name == "mic")
  }

  @Test("After the grace the recording ends with the reason, where the sound ended")
  func grace() async throws {
    let server = try await PulseServer(sinks: [speaker])
    let take = try await Take(server, speaker.monitorName, policy: .recover(grace: .milliseconds(600)))
    server.kill()
    #expect(await take.failure()?.kind == .serverLost)
    #expect(take.source.ring.counts.deviceLost == 0)
  }

  @Test("A recording can be stopped while its device is sought")
  func stopWhileSeeking() async throws {
    let server = try await PulseServer(sinks: [speaker])
    let take = try await Take(server, speaker.monitorName)
    server.kill()
    try await Task.sleep(for: .milliseconds(400))
    take.source.stop()
    #expect(await take.failure() == nil)
  }

  @Test("C2: What is dropped on the way without a word becomes a gap, and is told")
  func dropped() async throws {
    let fast = PulseServer.Sink("fast", sampleRate: 192_000)
    let server = try await PulseServer(sinks: [fast])
    let take = try await Take(server, fast.monitorName)
    let stream = try #require(take.source.recording.lock.withLock { take.source.recording.state.stream })
    // Nobody takes the packets; 4 MiB are kept, 2.7 s of this.
    stream.connection.withLock { pa_stream_set_read_callback(stream.stream, nil, nil) }
    try await Task.sleep(for: .seconds(5))
    let ring = Unmanaged.passUnretained(take.source.ring).toOpaque()
    stream.connection.withLock { pa_stream_set_read_callback(stream.stream, pulseStreamHasRead, ring) }
    #expect(try await eventually { take.source.ring.counts.deviceLost > 0 })
    let heard = try await take.end()
    #expect(heard.events.map(\.kind) == [.framesMissing])
    let missing = take.source.format.seconds(heard.missing(.sourceLost))
    #expect(abs(missing - 2.3) < 0.4, "\(missing) s")
  }
}

extension PulseServer {
  /// Moves the one recording that there is.
  fileprivate func moveRecording(to source: String) async throws {
    let words = try await control(["list", "short", "source-outputs"]).split(whereSeparator: \.isWhitespace)
    try await control(["move-source-output", String(words.first ?? ""), source])
  }
}
