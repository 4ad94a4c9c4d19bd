import AuricleAudio
import AuricleRecognition
import AuricleSession

/// Everything that the tool takes from the world; tests bring their own.
public struct Surroundings: Sendable {
  /// Standard output: nothing but what was asked for.
  public var output: any ByteSink
  /// Standard error: talk.
  public var talk: any ByteSink
  /// The environment of the process.
  public var environment: [String: String]
  /// Stamps results and keeps limits.
  public var clock: any Clock<Duration>
  /// Tells the time of day.
  public var wallClock: @Sendable () -> Timestamp
  /// Thrown when the user wants an end.
  public var stop: StopSignal
  /// Opens an input as 16,000 Hz mono; throws `AudioError`.
  public var openSource: @Sendable (SourceRequest) async throws -> any AudioSource
  /// Loads a recogniser.
  public var loadProvider: @Sendable (ProviderRequest) async throws(RecognitionError) -> any RecognitionProvider
  /// Loads a model folder and warms it up; may end the process when the folder is bad.
  public var probeModel: @Sendable (String, LanguageTag?) async throws(RecognitionError) -> Void
  /// The checks of `doctor`, in the order of the table.
  public var doctorChecks: @Sendable (DoctorRequest) -> [DoctorCheck]
  /// What recording needs beside all that.
  public var recording: RecordingSurroundings

  /// Creates surroundings.
  public init(
    output: any ByteSink, talk: any ByteSink, environment: [String: String], clock: any Clock<Duration>,
    wallClock: @escaping @Sendable () -> Timestamp, stop: StopSignal,
    openSource: @escaping @Sendable (SourceRequest) async throws -> any AudioSource,
    loadProvider: @escaping @Sendable (ProviderRequest) async throws(RecognitionError) -> any RecognitionProvider,
    probeModel: @escaping @Sendable (String, LanguageTag?) async throws(RecognitionError) -> Void,
    doctorChecks: @escaping @Sendable (DoctorRequest) -> [DoctorCheck], recording: RecordingSurroundings
  ) {
    self.output = output
    self.talk = talk
    self.environment = environment
    self.clock = clock
    self.wallClock = wallClock
    self.stop = stop
    self.openSource = openSource
    self.loadProvider = loadProvider
    self.probeModel = probeModel
    self.doctorChecks = doctorChecks
    self.recording = recording
  }
}

extension Surroundings {
  /// Waits for something that ends promptly when its task is cancelled.
  /// - Throws: `CancellationError`, when the user wants an end before that.
  func unlessStopped<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await body() }
      group.addTask { [stop] in
        _ = await stop.wait()
        throw CancellationError()
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }
}
