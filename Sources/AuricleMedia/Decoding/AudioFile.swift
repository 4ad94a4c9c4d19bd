import AuricleAudio

/// An ordinary file, opened for reading, and what to call it in messages.
struct AudioFile {
  let descriptor: FileDescriptor
  let byteCount: Int64
  /// Fit for one line.
  let name: String

  /// Says that the file holds nothing to listen to.
  func notAudio(_ reason: String) -> AudioError { .notAudio(name, reason) }

  /// The bytes at a place; fewer at the file's end.
  func bytes(_ count: Int, at offset: Int64) throws(AudioError) -> [UInt8] {
    do throws(SystemError) {
      return try descriptor.read(maxBytes: count, at: offset)
    } catch {
      throw .readFailed(name, error)
    }
  }
}

/// Messages that are about one file begin with its name and a colon.
extension AudioError {
  static func notAudio(_ name: String, _ reason: String) -> AudioError {
    AudioError(.notAudio, "\(name): no audio that can be read: \(reason)")
  }

  static func readFailed(_ name: String, _ error: SystemError) -> AudioError {
    AudioError(.readFailed, "\(name): reading failed: \(error.words)", platformCode: Int(error.code))
  }

  /// A path that could not be opened.
  static func cannotOpen(_ name: String, _ error: SystemError) -> AudioError {
    let code = Int(error.code)
    if error.isNotFound { return AudioError(.notFound, "\(name): no such file; check the path", platformCode: code) }
    if error.isNotPermitted {
      return AudioError(.notPermitted, "\(name): it may not be read; check its permissions", platformCode: code)
    }
    return AudioError(.readFailed, "\(name): it cannot be opened: \(error.words)", platformCode: code)
  }
}

/// A path as it may stand in a message: one line, without control characters, not too long.
func displayName(_ path: String) -> String {
  let safe = String(String.UnicodeScalarView(path.unicodeScalars.map { $0.properties.isPrintable ? $0 : "?" }))
  return safe.count <= 200 ? safe : "…" + safe.suffix(199)
}

extension Unicode.Scalar.Properties {
  fileprivate var isPrintable: Bool {
    switch generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}
