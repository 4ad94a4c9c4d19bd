import AuricleAudio
import AuricleRecognition
import AuricleRecording
import Foundation

/// A failure as a session delivers it and a report keeps it: from a source, a recogniser or the disk.
public struct SessionFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// Where the failure comes from: `auricle.audio`, `auricle.recognition` or `auricle.recording`; the set is open.
  public let domain: String
  /// The stable name of what went wrong, unique within the domain.
  public let code: String
  /// One sentence for a person, without a line break.
  public let message: String

  /// The domain of failures of sources and files.
  public static let audioDomain = "auricle.audio"
  /// The domain of failures of recognisers.
  public static let recognitionDomain = "auricle.recognition"
  /// The domain of failures of what is written to the disk.
  public static let recordingDomain = "auricle.recording"

  /// Creates a failure.
  public init(domain: String, code: String, message: String) {
    self.domain = domain
    self.code = code
    self.message = message
  }

  /// A source's failure.
  public init(_ error: AudioError) {
    self.init(domain: Self.audioDomain, code: error.kind.name, message: error.message)
  }

  /// A recogniser's failure.
  public init(_ error: RecognitionError) {
    self.init(domain: Self.recognitionDomain, code: error.kind.name, message: error.message)
  }

  /// A failure of what is written to the disk.
  init(_ kind: RecordingError.Kind, _ message: String) {
    self.init(domain: Self.recordingDomain, code: kind.name, message: message)
  }

  /// The failure that a source threw, of whatever type.
  public init(fromSource error: any Error) {
    switch error {
    case let error as AudioError: self.init(error)
    case let error as SessionFailure: self = error
    default: self.init(AudioError(.readFailed, PlainText.line("\(error)")))
    }
  }

  /// The failure of what writes a recording, of whatever type.
  public init(fromRecording error: any Error) {
    switch error {
    case let error as SessionFailure: self = error
    case let error as RecordingError:
      self.init(error.kind, PlainText.line(error.message))
    default: self.init(.writeFailed, PlainText.line("\(error)"))
    }
  }

  /// The sentence for a person.
  public var description: String { message }
}

extension SessionEvent.Failure {
  /// A session's failure.
  public init(_ failure: SessionFailure) {
    self.init(domain: failure.domain, code: failure.code, message: failure.message)
  }
}

extension SessionFailure: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
}
