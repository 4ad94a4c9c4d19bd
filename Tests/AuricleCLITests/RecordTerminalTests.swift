import AuricleSession
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleCLI

private let script = ["/usr/bin/script", "/bin/script"].first { SystemCalls.isAllowed($0, X_OK) }

@Suite(
  "Recording on a terminal", .enabled(if: program != nil && script != nil, "needs the built program and script"),
  .timeLimit(.minutes(2)))
struct RecordTerminalTests {
  private let folder: TemporaryFolder
  private var out: String { "\(folder.path)/out" }

  init() throws { folder = try TemporaryFolder() }

  /// The program on a terminal of its own, recording a stream of silence.
  ///
  /// What is typed goes to the terminal, and what is shown comes back with the modes of the terminal behind the end.
  /// Ctrl-C goes to everybody in the foreground, also to the shell, which outlives it.
  private func started(_ words: String = "", environment: [String: String] = [:]) throws -> RunningProgram {
    let command = """
      trap : INT; stty cols 80; (while sleep 0.1; do head -c 6400 /dev/zero || exit; done) | \
      "\(try #require(program))" record --source - --no-transcript --out "\(out)" \(words); \
      echo "code $?"; stty -a | grep -o -- '-\\?icanon\\|-\\?echo ' | tr '\\n' ' '; echo over
      """
    let shell = ["--quiet", "--flush", "--command", command, "/dev/null"]
    return try RunningProgram(
      shell, through: script, environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 })
  }

  /// The same with a microphone, and the terminal as standard input.
  ///
  /// - Parameter script: Shell commands; `$auricle` records.
  private func started(_ server: PulseServer, script text: String) throws -> RunningProgram {
    let command = """
      stty cols 80; modes() { stty -a | grep -o -- '-\\?icanon\\|-\\?echo ' | tr '\\n' ' '; }
      record() { "\(try #require(program))" record --yes --no-transcript --source a.monitor --out "\(out)"; }
      \(text)
      modes; echo over
      """
    let shell = ["--quiet", "--flush", "--command", command, "/dev/null"]
    return try RunningProgram(
      shell, through: script,
      environment: ["TERM": "xterm", "SHELL": "/bin/bash", "PULSE_SERVER": server.address])
  }

  private func report() throws -> RecordingReport {
    let name = try #require(try folder.names(in: "out").first)
    return try JSONDecoder().decode(RecordingReport.self, from: Data(folder.read("out/\(name)/report.json").utf8))
  }

  @Test("It asks, shows that it records, pauses and resumes with space, stops with q, and puts the terminal back")
  func keys() async throws {
    let program = try started()
    #expect(await program.wait { $0.output.contains("[y/N") })
    #expect(folder.names.isEmpty)
    // Before the recording begins there is nothing to pause.
    kill(try #require(Self.child(named: "auricle", recordingTo: out)), SIGUSR1)
    program.type("y Xaver, Yvonne\n")
    #expect(await program.wait { $0.output.contains("● REC 0:01") })
    program.type(" ")
    #expect(await program.wait { $0.output.contains("PAUSED") })
    program.type(" ")
    #expect(await program.wait { ($0.output.components(separatedBy: "PAUSED").last ?? "").contains("● REC") })
    program.type("q")
    #expect(await program.wait { $0.output.contains("over\r\n") })
    _ = await program.end()
    let shown = program.output
    #expect(shown.contains("\u{1B}[1;31m● REC") && shown.contains("audio.wav") && shown.contains("free"))
    #expect(shown.contains("auricle: recorded 0:0") && shown.contains("code 0\r\nicanon echo  over"))
    let report = try report()
    #expect(report.consent?.participants == ["Xaver", "Yvonne"] && report.gaps.map(\.reason) == ["paused"])
    #expect(report.stopReason == .userInitiated)
    // Names are shown once, as they were typed.
    #expect(shown.components(separatedBy: "Xaver").count == 2)
  }

  @Test("Who does not agree is not recorded: 77")
  func refused() async throws {
    let program = try started()
    #expect(await program.wait { $0.output.contains("[y/N") })
    program.type("\n")
    #expect(await program.wait { $0.output.contains("over\r\n") })
    #expect(program.output.contains("code 77") && folder.names.isEmpty)
    _ = await program.end()
  }

  @Test("Ctrl-C stops with 0, and a dumb terminal gets plain lines")
  func plain() async throws {
    let program = try started("--yes", environment: ["TERM": "dumb"])
    #expect(await program.wait { $0.output.contains("recording standard input") })
    try await Task.sleep(for: .milliseconds(500))
    program.type("\u{3}")
    #expect(await program.wait { $0.output.contains("over\r\n") })
    _ = await program.end()
    #expect(program.output.contains("code 0\r\nicanon echo  over") && !program.output.contains("\u{1B}["))
    #expect(try report().stopReason == .userInitiated)
  }

  @Test("Suspended and resumed, the terminal has its modes meanwhile, and the recording goes on")
  func suspended() async throws {
    let program = try started("--yes")
    #expect(await program.wait { $0.output.contains("● REC 0:01") })
    let auricle = try #require(Self.child(named: "auricle", recordingTo: out))
    kill(auricle, SIGTSTP)
    let state: @Sendable () -> String? = { Self.state(of: auricle) }
    #expect(await program.wait { _ in state() == "T" })
    let count = program.output.utf8.count
    kill(auricle, SIGCONT)
    #expect(await program.wait { $0.output.utf8.count > count + 200 })
    program.type("q")
    #expect(await program.wait { $0.output.contains("over\r\n") })
    _ = await program.end()
    #expect(program.output.contains("code 0\r\nicanon echo  over"))
  }

  @Test("A terminal that Ctrl-S has stopped does not hold up SIGTERM")
  func frozen() async throws {
    let program = try started("--yes")
    #expect(await program.wait { $0.output.contains("● REC 0:01") })
    let auricle = try #require(Self.child(named: "auricle", recordingTo: out))
    program.type("\u{13}")
    try await Task.sleep(for: .milliseconds(700))
    let count = program.output.utf8.count
    try await Task.sleep(for: .milliseconds(700))
    #expect(program.output.utf8.count == count, "Ctrl-S stops nothing")
    kill(auricle, SIGTERM)
    let start = Date()
    #expect(await program.wait(seconds: 10) { _ in Self.state(of: auricle).map { $0 == "Z" } ?? true })
    #expect(Date().timeIntervalSince(start) < 5)
    #expect(try report().stopReason == .userInitiated)
    program.type("\u{11}")
    #expect(await program.wait { $0.output.contains("over\r\n") })
    _ = await program.end()
    #expect(program.output.contains("code 0\r\nicanon echo  over"))
  }

  @Test("On a dumb terminal Ctrl-Z gives the terminal back, and fg takes the keys again")
  func suspendedDumb() async throws {
    let program = try started("--yes", environment: ["TERM": "dumb"])
    #expect(await program.wait { $0.output.contains("space pauses") })
    let auricle = try #require(Self.child(named: "auricle", recordingTo: out))
    let terminal = "/proc/\(auricle)/fd/2"
    #expect(await program.wait { _ in Self.isRaw(terminal) == true })
    kill(auricle, SIGTSTP)
    #expect(await program.wait { _ in Self.state(of: auricle) == "T" })
    #expect(Self.isRaw(terminal) == false)
    kill(auricle, SIGCONT)
    #expect(await program.wait { _ in Self.isRaw(terminal) == true })
    kill(auricle, SIGCONT)
    program.type(" ")
    #expect(await program.wait { $0.output.contains("paused at") })
    program.type("q")
    #expect(await program.wait { $0.output.contains("over\r\n") })
    _ = await program.end()
    #expect(program.output.contains("code 0\r\nicanon echo  over"))
  }

  @Test(
    "A job in the background leaves the terminal of others alone",
    .enabled(if: PulseServer.isInstalled && SystemCalls.kind("/bin/bash") != nil, "needs pulseaudio and bash"))
  func background() async throws {
    let server = try await PulseServer(sinks: [PulseServer.Sink("a")])
    let program = try started(server, script: "set -m; record & read word; modes; echo read $word; kill %1; wait %1")
    #expect(await program.wait { $0.output.contains("● REC 0:01") }, "\(program.output)")
    program.type("q words\n")
    #expect(await program.wait { $0.output.contains("over\r\n") }, "\(program.output)")
    _ = await program.end()
    #expect(program.output.contains("icanon echo  read q words"), "\(program.output)")
    #expect(program.output.contains("icanon echo  over"))
    #expect(try report().stopReason == .userInitiated)
  }

  @Test(
    "A device that delivers nothing is shown as one",
    .enabled(if: PulseServer.isInstalled && SystemCalls.kind("/bin/bash") != nil, "needs pulseaudio and bash"))
  func silent() async throws {
    let server = try await PulseServer(sinks: [PulseServer.Sink("a")])
    let program = try started(server, script: "record")
    #expect(await program.wait { $0.output.contains("● REC 0:01") }, "\(program.output)")
    server.freeze()
    #expect(await program.wait { $0.output.contains("no sound arrives") }, "\(program.output)")
    server.thaw()
    program.type("q")
    #expect(await program.wait { $0.output.contains("over\r\n") })
    _ = await program.end()
  }

  /// Whether the keys of a terminal come one by one.
  private static func isRaw(_ path: String) -> Bool? {
    let descriptor = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { return nil }
    return modes.c_lflag & tcflag_t(ICANON | ECHO) == 0
  }

  /// The process that records there, found in `/proc`.
  private static func child(named name: String, recordingTo path: String) -> Int32? {
    let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
    return numbers.first { number in
      let bytes = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") ?? Data()
      let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      return words.first?.hasSuffix("/\(name)") == true && words.contains(path)
    }
  }

  private static func state(of process: Int32) -> String? {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return text?.components(separatedBy: ") ").last.map { String($0.prefix(1)) }
  }
}
