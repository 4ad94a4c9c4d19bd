import AuricleAudio
import CPulse

extension AudioError {
  /// What the library's code means while something is being done, such as "listing the sources".
  static func pulse(_ code: Int32, while doing: String) -> AudioError {
    let words = String(cString: pa_strerror(code))
    let kind: Kind =
      switch UInt32(bitPattern: code) {
      case PA_ERR_NOENTITY.rawValue: .notFound
      case PA_ERR_ACCESS.rawValue, PA_ERR_AUTHKEY.rawValue: .notPermitted
      case PA_ERR_TIMEOUT.rawValue: .timedOut
      case PA_ERR_NOTSUPPORTED.rawValue, PA_ERR_INVALID.rawValue: .unsupportedFormat
      case PA_ERR_KILLED.rawValue: .deviceLost
      case PA_ERR_CONNECTIONREFUSED.rawValue, PA_ERR_CONNECTIONTERMINATED.rawValue,
        PA_ERR_INVALIDSERVER.rawValue, PA_ERR_IO.rawValue:
        .serverLost
      default: .readFailed
      }
    return AudioError(kind, "\(doing): the sound server says: \(words)", platformCode: Int(code))
  }

  /// No server could be reached.
  static func noServer(_ code: Int32, _ address: String?) -> AudioError {
    let words = String(cString: pa_strerror(code))
    if UInt32(bitPattern: code) == PA_ERR_ACCESS.rawValue || UInt32(bitPattern: code) == PA_ERR_AUTHKEY.rawValue {
      return AudioError(
        .notPermitted, "the sound server\(place(address)) does not let this user in (\(words))", platformCode: Int(code)
      )
    }
    return AudioError(
      .serverLost,
      "no sound server answers\(place(address)) (\(words)); is PulseAudio or PipeWire running? PULSE_SERVER names another",
      platformCode: Int(code))
  }

  /// The server took longer than anybody waits.
  static func noAnswer(_ address: String?, _ patience: Duration) -> AudioError {
    AudioError(
      .timedOut,
      "the sound server\(place(address)) did not answer within \(patience); try again, or restart PulseAudio or PipeWire"
    )
  }

  private static func place(_ address: String?) -> String {
    address.map { " at \(printable($0))" } ?? ""
  }
}

/// A text from outside that fits into one line.
func printable(_ text: String) -> String {
  String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
}
