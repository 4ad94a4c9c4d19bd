import AuricleAudio
import AuricleRecognition
import AuricleRecording
import AuricleSession

/// How a command ends, in the numbers of `sysexits.h`. Of several outcomes the highest counts.
public struct ExitCode: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number that the process exits with.
  public let rawValue: Int32
  /// Names a number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Done, also when nothing was said.
  public static let success = ExitCode(rawValue: 0)
  /// The command line is wrong.
  public static let usage = ExitCode(rawValue: 64)
  /// Not audio, or damaged beyond reading.
  public static let badData = ExitCode(rawValue: 65)
  /// No such file, a directory, or unreadable.
  public static let noInput = ExitCode(rawValue: 66)
  /// No or a broken model, a language that the model lacks, a program that is missing.
  public static let unavailable = ExitCode(rawValue: 69)
  /// Reading or writing failed.
  public static let ioFailure = ExitCode(rawValue: 74)
  /// Nobody agreed to be recorded.
  public static let notPermitted = ExitCode(rawValue: 77)
  /// Interrupted by SIGINT, SIGTERM or SIGHUP.
  public static let interrupted = ExitCode(rawValue: 130)

  /// Compares the numbers.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The codes as the help lists them.
  static let documented: [(code: ExitCode, meaning: String)] = [
    (.success, "Done; also when nothing was said, and when the reader of stdout went away."),
    (.usage, "The command line is wrong."),
    (.badData, "Not audio, or damaged beyond reading."),
    (.noInput, "No such file or device, a directory, or unreadable."),
    (.unavailable, "No model or a broken one, a language the model lacks, a missing program."),
    (.ioFailure, "Reading or writing failed, the disk is full, the output is not writable."),
    (.notPermitted, "Nobody agreed to be recorded."),
    (.interrupted, "Interrupted before its end (SIGINT, SIGTERM, SIGHUP); a recording that is stopped has ended well."),
  ]
}

extension ExitCode {
  /// The code of a source's or a recogniser's failure.
  init(_ failure: SessionFailure) {
    switch failure.domain {
    case SessionFailure.audioDomain: self = Self.audio[failure.code] ?? .ioFailure
    case SessionFailure.recordingDomain: self = Self.recording[failure.code] ?? .ioFailure
    default: self = Self.recognition[failure.code] ?? .unavailable
    }
  }

  private static let audio: [String: ExitCode] = [
    AudioError.Kind.notFound.name: .noInput,
    AudioError.Kind.notPermitted.name: .noInput,
    AudioError.Kind.notAudio.name: .badData,
    AudioError.Kind.unsupportedFormat.name: .badData,
    AudioError.Kind.readFailed.name: .ioFailure,
    AudioError.Kind.missingTool.name: .unavailable,
    AudioError.Kind.serverLost.name: .unavailable,
    AudioError.Kind.timedOut.name: .unavailable,
  ]

  private static let recording: [String: ExitCode] = [
    RecordingError.Kind.unsupportedFormat.name: .badData,
    RecordingError.Kind.damaged.name: .badData,
  ]

  private static let recognition: [String: ExitCode] = [
    RecognitionError.Kind.invalidParameter.name: .usage
  ]
}
