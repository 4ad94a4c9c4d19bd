import AuricleAudio
import AuricleCapture
import CPulse

/// Tells a source's reader what becomes of its stream.
final class PulseStreamLink: @unchecked Sendable {
  // The rule that makes it safe: after init only the library's thread touches it, in the stream's callbacks.
  private let mainloop: OpaquePointer
  private let source: RingSource<ContinuousClock>
  private let name: String
  /// When the device was put to sleep, in the library's microseconds.
  private var asleepSince: pa_usec_t?

  init(_ mainloop: OpaquePointer, _ source: RingSource<ContinuousClock>, name: String) {
    self.mainloop = mainloop
    self.source = source
    self.name = name
  }

  func changed(_ stream: OpaquePointer) {
    let state = pa_stream_get_state(stream)
    if state == PA_STREAM_FAILED || state == PA_STREAM_TERMINATED { source.finish(throwing: reason(stream)) }
    pa_threaded_mainloop_signal(mainloop, 0)
  }

  /// A sleeping device sends nothing, and its time goes on: what it missed is a gap.
  func suspended(_ stream: OpaquePointer) {
    let now = pa_rtclock_now()
    if pa_stream_is_suspended(stream) == 1 {
      asleepSince = asleepSince ?? now
    } else if let since = asleepSince {
      asleepSince = nil
      source.ring.miss(Int(source.format.frames(seconds: Double(now - since) / 1_000_000)), .sourceLost)
    }
  }

  private func reason(_ stream: OpaquePointer) -> AudioError {
    let context = pa_stream_get_context(stream)
    let code = pa_context_errno(context)
    let words = String(cString: pa_strerror(code))
    if pa_context_get_state(context).isGood {
      return AudioError(
        .deviceLost, "\(name) went away (\(words)); plug it in again or choose another source", platformCode: Int(code))
    }
    return AudioError(
      .serverLost, "the sound server went away (\(words)); start it again, and then the recording",
      platformCode: Int(code))
  }
}

// C calls these from the library's thread, so they belong to no actor.

nonisolated func pulseStreamChanged(_ stream: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?) {
  guard let stream, let userdata else { return }
  Unmanaged<PulseStreamLink>.fromOpaque(userdata).takeUnretainedValue().changed(stream)
}

nonisolated func pulseStreamSuspended(_ stream: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?) {
  guard let stream, let userdata else { return }
  Unmanaged<PulseStreamLink>.fromOpaque(userdata).takeUnretainedValue().suspended(stream)
}
