import AuricleAudio
import Foundation

/// The newest samples of a microphone, at any time.
///
/// Threading: every method may be called from any thread; several readers run at once, and none sees half of a write.
public final class AudioRecord: Sendable {
  /// The largest buffer, in elements: an hour of two channels at 48 kHz.
  public static let maximumBufferLength: UInt = 2 * 48_000 * 3_600

  /// The format in which samples are delivered.
  public let audioDataFormat: AudioDataFormat
  /// How many elements can be read at most, all channels together.
  public let bufferLength: UInt
  private let format: AudioFormat
  private let permission: RecordPermission
  private let source: RecordSource
  private let tap: RecordTap
  /// Serialises starts and stops.
  private let lifecycle = NSLock()

  /// Prepares a record. It touches no microphone and asks for no permission.
  /// - Parameters:
  ///   - format: One or two channels. A mono microphone is doubled for two.
  ///   - bufferSize: How many elements to keep: a multiple of the channels, at least one frame.
  ///   - host: Where the microphone and the permission come from; `nil` takes ``AudioRecordHost/current``.
  /// - Throws: ``TasksError`` of code `invalidArgument`.
  public init(
    audioDataFormat format: AudioDataFormat, bufferLength bufferSize: UInt, host: AudioRecordHost? = nil
  ) throws {
    self.format = try format.checked(bufferLength: bufferSize)
    let host = host ?? .current
    audioDataFormat = format
    bufferLength = bufferSize
    permission = host.permission
    source = host.openSource
    tap = RecordTap(self.format, capacity: Int(bufferSize))
  }

  deinit { tap.end() }

  /// Begins to listen, with a buffer of zeros.
  ///
  /// It waits until the microphone is open, and not for the first samples: until they come, reading gives zeros.
  /// - Throws: ``TasksError``: the permission is missing, or it is recording already; else what opening the source throws.
  public func startRecording() throws {
    try lifecycle.withLock {
      switch permission.status {
      case .granted: break
      case .denied:
        throw TasksError(.audioRecordPermissionDenied, "recording is not permitted; ask the user to allow it")
      case .undetermined:
        throw TasksError(
          .audioRecordPermissionUndetermined, "nobody was asked for the permission to record; ask before the start")
      }
      guard !tap.isOpen else {
        throw TasksError(.audioRecordAlreadyRecording, "it is recording already; stop it first")
      }
      tap.begin(try source.open())
    }
  }

  /// Copies elements of the newest ``bufferLength``, oldest first. Where nothing came yet there are zeros.
  /// - Parameters:
  ///   - offset: How many of the oldest elements to leave out.
  ///   - length: How many to copy.
  /// - Throws: ``TasksError``: not recording, or a part outside of the buffer; else why the newest samples could not be
  ///   taken, until the next ones can.
  public func read(offset: UInt, length: UInt) throws -> MPPFloatBuffer { try tap.read(offset: offset, length: length) }

  /// Stops listening, and sets the buffer to zeros. Harmless when it is not recording.
  /// - Throws: Nothing yet; the page's signature.
  public func stop() throws { lifecycle.withLock { tap.end() } }
}

extension AudioDataFormat {
  /// - Throws: ``TasksError`` of code `invalidArgument`; the channels are looked at first.
  fileprivate func checked(bufferLength: UInt) throws(TasksError) -> AudioFormat {
    let format = try checked()
    guard bufferLength.isMultiple(of: channelCount) else {
      throw TasksError(
        .invalidArgument, "a buffer of \(bufferLength) is not a multiple of \(channelCount) channels")
    }
    guard (1...AudioRecord.maximumBufferLength).contains(bufferLength) else {
      throw TasksError(
        .invalidArgument,
        "a buffer of \(bufferLength) is none or too large; ask for 1 to \(AudioRecord.maximumBufferLength)")
    }
    return format
  }
}
