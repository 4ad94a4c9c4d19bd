import AuricleSession
import Foundation

/// The process around the tool: descriptors, signals, exit.
public enum ToolProcess {
  /// Runs the tool with the arguments, the environment and the descriptors of this process, and exits.
  ///
  /// Not asynchronous: the runtime opens descriptors of its own before the first line of an asynchronous main function.
  public static func main() -> Never {
    SystemCalls.reserveStandardDescriptors()
    let stop = StopSignal()
    let (hurry, withdrawal) = (StopSignal(), StopSignal())
    SignalWatch.start(stop, hurry: hurry, withdrawal: withdrawal)
    // Owned by the process, which lives as long as it.
    Task.detached { leave(await run(stop, hurry: hurry, withdrawal: withdrawal)) }
    while true { pause() }
  }

  private static func run(_ stop: StopSignal, hurry: StopSignal, withdrawal: StopSignal) async -> ExitCode {
    let recording = RecordingSurroundings(
      terminal: ControllingTerminal.attached, hurry: hurry, pauseRequests: SignalWatch.pauseRequests,
      withdrawal: withdrawal, openInput: InputFactory.open, listDevices: InputFactory.devices)
    let surroundings = Surroundings(
      output: DescriptorSink.standardOutput, talk: DescriptorSink.standardError,
      environment: ProcessInfo.processInfo.environment, clock: ContinuousClock(), wallClock: { Timestamp(Date()) },
      stop: stop, openSource: SourceFactory.open, loadProvider: EngineFactory.load, probeModel: EngineFactory.probe,
      doctorChecks: { EngineChecks.all($0) + MachineChecks.all($0) }, recording: recording)
    return await AuricleTool(surroundings: surroundings).run(Array(CommandLine.arguments.dropFirst()))
  }

  /// Ends the process at once. A model may still be loading on another thread, and the destructors of its libraries must
  /// not run beneath it; nothing of ours is buffered. A recording's file that is being closed is waited for.
  static func leave(_ code: ExitCode) -> Never {
    TerminalModes.leave()
    OpenRecordings.waitUntilClosed()
    TemporaryFiles.removeAll()
    _exit(code.rawValue)
  }
}
