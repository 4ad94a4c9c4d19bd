import AuricleRecognition
import Foundation

/// A real PulseAudio server of a test's own, with null sinks whose monitors hear what is played to them.
///
/// It has its own folder and socket, and knows no other server. It ends with the object, and by itself a minute after
/// its last client, should the test die before it.
public final class PulseServer: Sendable {
  /// A loudspeaker that nobody hears; its monitor is the source `NAME.monitor`.
  public struct Sink: Sendable {
    /// What it is called.
    public let name: String
    /// Frames per second.
    public let sampleRate: Int
    /// Samples per frame.
    public let channelCount: Int

    /// Describes a sink.
    public init(_ name: String, sampleRate: Int = 48_000, channelCount: Int = 2) {
      self.name = name
      self.sampleRate = sampleRate
      self.channelCount = channelCount
    }

    /// The source that hears it.
    public var monitorName: String { "\(name).monitor" }

    /// Without rewinding, so that the monitor hears from the first moment on.
    var module: [String] {
      ["module-null-sink", "sink_name=\(name)", "rate=\(sampleRate)", "channels=\(channelCount)", "norewinds=1"]
    }
  }

  /// Why something of the server did not work.
  public struct Failure: Error, CustomStringConvertible {
    /// What happened.
    public let description: String
  }

  /// Whether the server and its tools are installed; skip the test where they are not.
  public static let isInstalled = ["pulseaudio", "pactl", "paplay"].allSatisfy { TestProgram.find($0) != nil }

  /// The server's address, as `PULSE_SERVER` takes it.
  public let address: String
  private let folder: String
  private let process: Guarded<pid_t?>

  /// Starts a server, and waits until it answers.
  /// - Throws: ``Failure`` with the server's log.
  public init(sinks: [Sink]) async throws {
    folder = "/tmp/auricle-pulse-\(UUID().uuidString.prefix(13))"
    address = "unix:\(folder)/native"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    process = Guarded(try Self.program(folder, sinks).start())
    try await waitForAnswer()
  }

  /// Starts the server again after ``kill()``, at the same address: the socket of the dead one still lies there.
  /// - Throws: ``Failure`` with the server's log.
  public func restart(sinks: [Sink]) async throws {
    kill()
    let number = try Self.program(folder, sinks).start()
    process.withLock { $0 = number }
    try await waitForAnswer()
  }

  private static func program(_ folder: String, _ sinks: [Sink]) -> TestProgram {
    let modules =
      [["module-native-protocol-unix", "auth-anonymous=1", "socket=\(folder)/native"]] + sinks.map(\.module)
    return TestProgram(
      path: TestProgram.find("pulseaudio") ?? "pulseaudio",
      arguments: [
        "-n", "--daemonize=no", "--exit-idle-time=60", "--use-pid-file=no", "--log-target=file:\(folder)/log",
      ] + modules.flatMap { ["-L", $0.joined(separator: " ")] },
      environment: environment(folder), outputPath: "\(folder)/said")
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Ends the server at once, as a crash does, and waits until it is gone.
  public func kill() {
    process.withLock { process in
      guard let number = process else { return }
      process = nil
      // Nobody has waited for it, so the number is still its own.
      _ = Foundation.kill(number, SIGKILL)
      _ = TestProgram.wait(for: number)
    }
  }

  /// Stops the server where it stands, so that it answers nobody, until ``thaw()``.
  public func freeze() { signal(SIGSTOP) }

  /// Lets a frozen server go on.
  public func thaw() { signal(SIGCONT) }

  private func signal(_ number: Int32) {
    process.withLock { process in
      if let process { _ = Foundation.kill(process, number) }
    }
  }

  /// Adds a sink.
  /// - Returns: The number by which it can be taken away.
  @discardableResult
  public func add(_ sink: Sink) async throws -> Int {
    try await load(sink.module)
  }

  /// Loads a module of the server.
  /// - Returns: The number by which it can be taken away.
  @discardableResult
  public func load(_ module: [String]) async throws -> Int {
    let said = try await control(["load-module"] + module)
    guard let number = Int(said.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw Failure(description: "the server says '\(said)'")
    }
    return number
  }

  /// Takes a sink or another module away.
  public func unload(_ number: Int) async throws {
    _ = try await control(["unload-module", "\(number)"])
  }

  /// Plays a sine to a sink, from now on; it goes with the sink.
  public func playSine(_ frequency: Int, on sink: Sink) async throws {
    try await load(["module-sine", "sink=\(sink.name)", "frequency=\(frequency)"])
  }

  /// Plays a sound file to a sink, and waits until its last frame was played.
  public func play(_ path: String, on sink: Sink) async throws {
    _ = try await run("paplay", ["--server=\(address)", "--device=\(sink.name)", path])
  }

  /// Tells the server something, by the words of `pactl`.
  /// - Returns: What it answers.
  @discardableResult
  public func control(_ words: [String]) async throws -> String {
    try await run("pactl", ["--server=\(address)"] + words)
  }

  private func run(_ name: String, _ arguments: [String]) async throws -> String {
    let outputPath = "\(folder)/\(UUID().uuidString)"
    let program = TestProgram(
      path: TestProgram.find(name) ?? name, arguments: arguments, environment: Self.environment(folder),
      outputPath: outputPath)
    let isWell = try await program.run()
    let output = try String(contentsOfFile: outputPath, encoding: .utf8)
    guard isWell else { throw Failure(description: "\(name) \(arguments): \(output)") }
    return output
  }

  private func waitForAnswer() async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while (try? await control(["info"])) == nil {
      guard ContinuousClock.now < deadline else {
        let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? "no log"
        throw Failure(description: "the server does not answer: \(log)")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Nothing of the user's own servers.
  private static func environment(_ folder: String) -> [String: String] {
    [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder,
      "XDG_RUNTIME_DIR": folder, "PULSE_RUNTIME_PATH": "\(folder)/run", "LC_ALL": "C",
    ]
  }
}
