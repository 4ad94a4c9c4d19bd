import AuricleSession
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleCLI

@Suite(
  "Recording a sound server with the built program",
  .enabled(if: program != nil && PulseServer.isInstalled && SystemCalls.kind(sample) != nil, "run make setup"),
  .timeLimit(.minutes(5)))
struct RecordPulseTests {
  private let folder: TemporaryFolder
  private var out: String { "\(folder.path)/out" }

  init() throws { folder = try TemporaryFolder() }

  private func started(_ server: PulseServer, _ words: [String]) throws -> RunningProgram {
    try RunningProgram(["record", "--yes", "--out", out] + words, environment: ["PULSE_SERVER": server.address])
  }

  private func report() throws -> RecordingReport {
    let name = try #require(try folder.names(in: "out").first)
    return try JSONDecoder().decode(RecordingReport.self, from: Data(folder.read("out/\(name)/report.json").utf8))
  }

  @Test(
    "What is played is heard: words right, nothing dropped, the device's own rate and channels",
    arguments: [
      (PulseServer.Sink("a", sampleRate: 44_100, channelCount: 2), "wav"),
      (PulseServer.Sink("b", sampleRate: 48_000, channelCount: 1), "flac"),
      (PulseServer.Sink("c", sampleRate: 48_000, channelCount: 2), "opus"),
    ])
  func played(sink: PulseServer.Sink, format: String) async throws {
    let server = try await PulseServer(sinks: [sink])
    let program = try started(server, ["--source", sink.monitorName, "--format", format])
    #expect(await program.wait { $0.talk.contains("recording") }, "\(program.talk)")
    try await server.play(sample, on: sink)
    program.send(SIGINT)
    let code = await program.end()
    let report = try report()
    #expect(code == 0 && report.gaps.isEmpty && report.device?.name == sink.monitorName, "\(program.talk)")
    #expect(report.audio.sampleRate == sink.sampleRate && report.audio.channelCount == sink.channelCount)
    let words = program.output.lowercased()
    // "Fail better" is heard as "Failed better" at times.
    for word in ["ever tried", "no matter", "try again", "fail again", "better"] {
      #expect(words.contains(word), "\(words)")
    }
  }

  @Test(
    "The file is as long as the clock says, from its start to its stop",
    arguments: [
      PulseServer.Sink("a", sampleRate: 44_100, channelCount: 1), PulseServer.Sink("b", sampleRate: 48_000),
      PulseServer.Sink("c", sampleRate: 16_000, channelCount: 1),
    ])
  func length(sink: PulseServer.Sink) async throws {
    let server = try await PulseServer(sinks: [sink])
    let program = try started(server, ["--source", sink.monitorName, "--no-transcript"])
    #expect(await program.wait { $0.talk.contains("recording") }, "\(program.talk)")
    try await Task.sleep(for: .seconds(3))
    program.send(SIGINT)
    #expect(await program.end() == 0)
    let report = try report()
    let clock = Double(report.endTime.millisecondsSince1970 - report.startTime.millisecondsSince1970) / 1000
    #expect(abs(report.audio.duration - clock) < 0.05, "\(report.audio.duration) s in \(clock) s")
    #expect(report.gaps.isEmpty && report.audio.sampleRate == sink.sampleRate)
  }

  @Test("A server that is killed ends the recording with its reason, a whole file and 74")
  func killed() async throws {
    let sink = PulseServer.Sink("a")
    let server = try await PulseServer(sinks: [sink])
    let program = try started(
      server, ["--source", sink.monitorName, "--no-transcript", "--on-device-loss", "end"])
    #expect(await program.wait { $0.talk.contains("recording") })
    try await Task.sleep(for: .seconds(1))
    server.kill()
    #expect(await program.end() == 74)
    let report = try report()
    #expect(report.stopReason == .deviceError && report.audio.duration > 0.5 && report.errors.count == 1)
    #expect(program.talk.contains("it ended early"))
  }

  /// What happens to a sound server or a device in the middle of a recording.
  enum Trouble: String, CaseIterable {
    case restart, unload, otherDefault, suspend

    /// Whether nothing is heard meanwhile.
    var makesGap: Bool { self != .otherDefault }

    func happen(to sink: PulseServer.Sink, _ module: Int, at server: PulseServer) async throws {
      switch self {
      case .restart:
        server.kill()
        try await Task.sleep(for: .seconds(1))
        try await server.restart(sinks: [PulseServer.Sink("other"), sink])
      case .unload:
        try await server.unload(module)
        try await Task.sleep(for: .seconds(1))
        _ = try await server.add(sink)
      case .otherDefault: _ = try await server.control(["set-default-source", "other.monitor"])
      case .suspend:
        _ = try await server.control(["suspend-sink", sink.name, "1"])
        try await Task.sleep(for: .seconds(1))
        _ = try await server.control(["suspend-sink", sink.name, "0"])
      }
    }
  }

  @Test("The recording goes on, as long as the clock says, with what was not heard marked", arguments: Trouble.allCases)
  func goesOn(_ trouble: Trouble) async throws {
    let sink = PulseServer.Sink("a", sampleRate: 48_000, channelCount: 1)
    let server = try await PulseServer(sinks: [PulseServer.Sink("other")])
    let module = try await server.add(sink)
    let program = try started(server, ["--source", sink.monitorName, "--no-transcript"])
    #expect(await program.wait { $0.talk.contains("recording") }, "\(program.talk)")
    try await Task.sleep(for: .seconds(1))
    try await trouble.happen(to: sink, module, at: server)
    try await Task.sleep(for: .seconds(2))
    program.send(SIGINT)
    #expect(await program.end() == 0, "\(program.talk)")
    let report = try report()
    let clock = Double(report.endTime.millisecondsSince1970 - report.startTime.millisecondsSince1970) / 1000
    #expect(abs(report.audio.duration - clock) < 0.2, "\(report.audio.duration) s in \(clock) s: \(report.gaps)")
    let missing = report.gaps.reduce(0) { $0 + $1.end - $1.start }
    #expect(trouble.makesGap ? missing > 0.5 && missing < clock - 1.5 : missing == 0, "\(report.gaps), \(program.talk)")
    #expect(report.stopReason == .userInitiated && report.device?.name == sink.monitorName)
    // The file itself, as a player finds it.
    let name = try #require(try folder.names(in: "out").first)
    let bytes = try Data(contentsOf: URL(filePath: "\(out)/\(name)/audio.wav"))
    #expect(abs(Double(bytes.count) / 2 / 48_000 - report.audio.duration) < 0.01)
  }

  @Test("C1: A device that is muted, too loud or dead is told to the person, and stands in the report")
  func odd() async throws {
    let sink = PulseServer.Sink("a", sampleRate: 16_000, channelCount: 1)
    let server = try await PulseServer(sinks: [sink])
    let program = try started(server, ["--source", sink.monitorName, "--no-transcript"])
    #expect(await program.wait { $0.talk.contains("warning: the source delivered nothing") }, "\(program.talk)")
    try folder.writeSquare(to: "loud.wav")
    try await server.play("\(folder.path)/loud.wav", on: sink)
    #expect(await program.wait { $0.talk.contains("warning: the source is too loud") }, "\(program.talk)")
    server.freeze()
    #expect(await program.wait { $0.talk.contains("warning: nothing came from the source") }, "\(program.talk)")
    server.thaw()
    try await Task.sleep(for: .seconds(1))
    program.send(SIGINT)
    #expect(await program.end() == 0, "\(program.talk)")
    let report = try report()
    let kinds = report.notices.map(\.kind).filter { $0.hasPrefix("input") }
    for kind in ["inputSilent", "inputClipping", "inputStalled", "inputRestored"] {
      #expect(kinds.contains(kind), "\(kinds)")
    }
    #expect(kinds.count { $0 == "inputStalled" } == 1, "\(report.notices)")
    let told = report.sessionEvents.filter { $0.event == "inputSilent" || $0.event == "inputClipping" }
    #expect(told.count == kinds.count { $0 != "inputRestored" })
  }

  @Test("An unknown source is 66 and says what there is; no server is 69; nothing is made")
  func unknown() async throws {
    let server = try await PulseServer(sinks: [PulseServer.Sink("a")])
    let program = try started(server, ["--source", "none"])
    #expect(await program.end() == 66 && program.talk.contains("a.monitor"))
    let lost = try RunningProgram(
      ["record", "--yes", "--out", out], environment: ["PULSE_SERVER": "unix:/nowhere/native"])
    #expect(await lost.end() == 69 && folder.names.isEmpty)
    let devices = try RunningProgram(["devices"], environment: ["PULSE_SERVER": server.address])
    #expect(await devices.end() == 0 && devices.output.contains("a.monitor"))
  }
}

extension TemporaryFolder {
  /// Writes two seconds of 16 kHz that do nothing but reach both ends of the scale.
  fileprivate func writeSquare(to name: String) throws {
    let count: UInt32 = 64_000
    func bytes(_ number: some FixedWidthInteger) -> Data { withUnsafeBytes(of: number.littleEndian) { Data($0) } }
    var wav = Data("RIFF".utf8) + bytes(count + 36) + Data("WAVEfmt ".utf8) + bytes(UInt32(16)) + bytes(UInt16(1))
    wav += bytes(UInt16(1)) + bytes(UInt32(16_000)) + bytes(UInt32(32_000)) + bytes(UInt16(2)) + bytes(UInt16(16))
    wav += Data("data".utf8) + bytes(count)
    for frame in 0..<Int(count) / 2 { wav += bytes(frame / 20 % 2 == 0 ? Int16.max : Int16.min) }
    try wav.write(to: URL(filePath: "\(path)/\(name)"))
  }
}
