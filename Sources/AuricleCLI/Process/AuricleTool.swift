import AuricleAudio
import AuricleRecognition
import AuricleSession
import Foundation

/// The command line tool as a function of its arguments and its surroundings.
public struct AuricleTool: Sendable {
  /// The version, as `--version` prints it.
  public static let version = "0.1.0"

  private let surroundings: Surroundings
  private let console: Console

  /// Creates the tool.
  public init(surroundings: Surroundings) {
    self.surroundings = surroundings
    console = Console(
      output: surroundings.output, talk: surroundings.talk, environment: surroundings.environment,
      elapsed: Self.stopwatch(surroundings.clock))
  }

  /// Carries out a command line.
  /// - Parameter arguments: The words behind the program's name.
  public func run(_ arguments: [String]) async -> ExitCode {
    do throws(UsageError) {
      switch try ArgumentParser(commands: Commands.all).parse(arguments) {
      case .help(let name): return print(HelpText(commands: Commands.all).text(for: name))
      case .version: return print("auricle \(Self.version)\n")
      case .command(let name, let parsed): return try await run(name, parsed)
      }
    } catch {
      console.say(error.message)
      return .usage
    }
  }

  private func run(_ name: String, _ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
    switch name {
    case Commands.transcribe.name:
      var command = TranscribeCommand(try TranscribeRequest(arguments), surroundings: surroundings, console: console)
      return try await command.run()
    case Commands.record.name:
      return await RecordCommand(try RecordRequest(arguments), surroundings: surroundings, console: console).run()
    case Commands.recover.name:
      return await RecoverCommand(try RecoverRequest(arguments), surroundings: surroundings, console: console).run()
    case Commands.devices.name: return await devices(arguments)
    case Commands.doctor.name: return await doctor(arguments)
    case Commands.probeModel.name: return try await probe(arguments)
    default: throw UsageError("unknown command \(PlainText.line(name)); see auricle --help")
    }
  }

  private func doctor(_ arguments: ParsedArguments) async -> ExitCode {
    let request = DoctorRequest(model: arguments.values["--model"], environment: surroundings.environment)
    let sound = await SoundCheck.look(surroundings.recording.listDevices)
    let report = DoctorReport(surroundings.doctorChecks(request) + [sound])
    let json = try? JSONText.encode(report, isPretty: true) + "\n"
    let code = print(arguments.flags.contains("--json") ? json ?? "" : report.table)
    return max(code, report.isOK ? .success : .unavailable)
  }

  private func devices(_ arguments: ParsedArguments) async -> ExitCode {
    do throws(AudioError) {
      let list = DeviceList(try await surroundings.recording.listDevices())
      return print(arguments.flags.contains("--json") ? list.json : list.table)
    } catch {
      console.say(error.message)
      return ExitCode(SessionFailure(error))
    }
  }

  private func probe(_ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
    let language = try arguments.values["--language"].map(TranscribeRequest.language)
    do throws(RecognitionError) {
      try await surroundings.probeModel(arguments.operands[0], language)
      return .success
    } catch {
      console.say(error.message)
      return .unavailable
    }
  }

  private func print(_ text: String) -> ExitCode {
    do throws(OutputError) {
      try console.write(text)
      return .success
    } catch {
      if error.isReaderGone { return .success }
      console.say(error.message)
      return .ioFailure
    }
  }

  private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
