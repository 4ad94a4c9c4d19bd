import AuricleAudio
import AuricleCapture

/// What a sound server can hear.
public enum PulseDevices {
  /// How long each answer of a server is waited for, unless said otherwise.
  public static let patience = Duration.seconds(5)

  /// Lists microphones, lines and monitors, the default one marked, in the server's order.
  ///
  /// Waits on a thread of its own, so a task's thread stays free.
  /// - Parameters:
  ///   - server: The server's address, such as `unix:/run/user/1000/pulse/native`; `nil` for the user's own, which
  ///     `PULSE_SERVER` can name.
  ///   - patience: How long to wait for each answer.
  /// - Throws: `AudioError` of kind `serverLost`, `notPermitted` or `timedOut`.
  public static func list(
    server: String? = nil, patience: Duration = patience
  ) async throws(AudioError) -> [CaptureDevice] {
    try await OwnThread.run { () throws(AudioError) in
      try PulseConnection(server: server, patience: patience).listDevices().map(\.device)
    }
  }
}
