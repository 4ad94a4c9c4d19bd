import AuricleAudio
import AuricleConsent
import AuricleRecognition

/// What a session gets from the outside.
///
/// A value of functions, so that a program, a device and a test each bring their own.
public struct SessionEnvironment: Sendable {
  /// The providers.
  public var registry: ProviderRegistry
  /// Opens the input of a route, behind a gate. Waits for the device, and ends promptly when its task is cancelled.
  public var openInput: @Sendable (AudioRoute?, ConsentGate) async throws -> SessionInput
  /// Makes the files of a recording; nothing is left behind when it fails.
  public var makeFiles: @Sendable (SessionFilesRequest) throws -> SessionFiles
  /// Makes 16,000 Hz mono of a source.
  public var speech: @Sendable (any AudioSource) -> any AudioSource
  /// The network.
  public var network: any NetworkMonitor
  /// The program's own language, BCP 47; `nil` leaves it to the recogniser.
  public var language: String?
  /// Stamps deliveries, and keeps limits and waits.
  public var clock: any Clock<Duration>
  /// Tells the time of day.
  public var wallClock: @Sendable () -> Timestamp
  /// 0..<1: chance, for the length of waits.
  public var chance: @Sendable () -> Double

  /// So long nothing may come from an input that has run before that is told, with a warning; `nil` when it is never told.
  /// Two seconds, as the vendors' recorders have it, where nothing else is said.
  public var stall: Duration? = .seconds(2)

  /// Gathers an environment.
  public init(
    registry: ProviderRegistry, openInput: @escaping @Sendable (AudioRoute?, ConsentGate) async throws -> SessionInput,
    makeFiles: @escaping @Sendable (SessionFilesRequest) throws -> SessionFiles,
    speech: @escaping @Sendable (any AudioSource) -> any AudioSource, network: any NetworkMonitor = AlwaysOnline(),
    language: String? = nil, clock: any Clock<Duration> = ContinuousClock(),
    wallClock: @escaping @Sendable () -> Timestamp,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.registry = registry
    self.openInput = openInput
    self.makeFiles = makeFiles
    self.speech = speech
    self.network = network
    self.language = language
    self.clock = clock
    self.wallClock = wallClock
    self.chance = chance
  }
}

/// An input that is open.
public struct SessionInput: Sendable {
  /// Where the sound comes from.
  public let recording: RecordingInput
  /// The device; `nil` when it is none, or nobody knows.
  public let device: ReportDevice?
  /// The source as the user named it; `nil` for the standard microphone.
  public let source: String?

  /// Describes an input.
  public init(recording: RecordingInput, device: ReportDevice? = nil, source: String? = nil) {
    self.recording = recording
    self.device = device
    self.source = source
  }
}

/// What the files of a recording are asked for.
public struct SessionFilesRequest: Sendable {
  /// When the recording begins; names its folder.
  public let startTime: Timestamp
  /// The format of what will be written.
  public let audio: AudioFormat
  /// Whether somebody will read it while it is written.
  public let isRead: Bool

  /// Asks for files.
  public init(startTime: Timestamp, audio: AudioFormat, isRead: Bool) {
    self.startTime = startTime
    self.audio = audio
    self.isRead = isRead
  }
}

/// The files of a recording, just made.
public struct SessionFiles: Sendable {
  /// The audio.
  public let writer: any RecordingWriter
  /// The journal, empty.
  public let journal: any JournalWriter
  /// The folder of both, where the report will be.
  public let folder: String
  /// The name of the audio file in it.
  public let audioFileName: String

  /// Names files.
  public init(writer: any RecordingWriter, journal: any JournalWriter, folder: String, audioFileName: String) {
    self.writer = writer
    self.journal = journal
    self.folder = folder
    self.audioFileName = audioFileName
  }
}
