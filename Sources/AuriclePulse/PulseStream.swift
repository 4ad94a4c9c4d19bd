import AuricleAudio
import AuricleCapture
import CPulse
import Synchronization

/// A stream from a source into a ring, with the connection that it needs; closed exactly once.
final class PulseStream: @unchecked Sendable {
  // The rule that makes it safe: nothing changes after init; the library is called under its lock, and whoever first
  // sets isClosed frees. The ring and the link outlive the stream's callbacks, which close() takes away first.
  private let connection: PulseConnection
  private let stream: OpaquePointer
  private let source: RingSource<ContinuousClock>
  private let link: PulseStreamLink
  private let isClosed = Atomic(false)

  /// How much the server gathers before it sends, in seconds.
  private static let fragmentSeconds = 0.02

  /// Connects to a source, and waits until it runs.
  /// - Throws: `AudioError` of kind `notFound`, `unsupportedFormat`, `deviceLost`, `serverLost` or `timedOut`.
  init(
    _ connection: PulseConnection, to device: CaptureDevice, into source: RingSource<ContinuousClock>
  ) throws(AudioError) {
    let doing = "opening \(printable(device.name))"
    let (stream, link) = try connection.withLock { () throws(AudioError) in
      try connection.withContext { context, mainloop throws(AudioError) in
        var shape = pa_sample_spec(source.format)
        guard let stream = pa_stream_new(context, "recording", &shape, nil) else {
          throw .pulse(pa_context_errno(context), while: doing)
        }
        return (stream, PulseStreamLink(mainloop, source, name: printable(device.name)))
      }
    }
    self.connection = connection
    self.stream = stream
    self.source = source
    self.link = link
    try connection.withLock { () throws(AudioError) in try start(device, while: doing) }
  }

  deinit { close() }

  /// Ends the stream and its connection. Repeated calls do nothing.
  func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    connection.withLock {
      pa_stream_set_read_callback(stream, nil, nil)
      pa_stream_set_state_callback(stream, nil, nil)
      pa_stream_set_suspended_callback(stream, nil, nil)
      pa_stream_disconnect(stream)
      pa_stream_unref(stream)
    }
    connection.close()
    source.finish()
  }

  private func start(_ device: CaptureDevice, while doing: String) throws(AudioError) {
    pa_stream_set_read_callback(stream, pulseStreamHasRead, Unmanaged.passUnretained(source.ring).toOpaque())
    pa_stream_set_state_callback(stream, pulseStreamChanged, Unmanaged.passUnretained(link).toOpaque())
    pa_stream_set_suspended_callback(stream, pulseStreamSuspended, Unmanaged.passUnretained(link).toOpaque())
    let format = source.format
    let fragment =
      format.frames(seconds: Self.fragmentSeconds) * Int64(format.channelCount * MemoryLayout<Float>.stride)
    var buffering = pa_buffer_attr(
      maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: UInt32(fragment))
    // Never moved to another source unasked: that would be another room.
    let flags = pa_stream_flags_t(PA_STREAM_DONT_MOVE.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue)
    guard pa_stream_connect_record(stream, device.name, &buffering, flags) >= 0 else {
      throw connection.withContext { context, _ in .pulse(pa_context_errno(context), while: doing) }
    }
    try connection.wait {
      pa_stream_get_state(stream) != PA_STREAM_CREATING
    } orFail: {
      .pulse($0, while: doing)
    }
    guard pa_stream_get_state(stream) == PA_STREAM_READY else {
      throw connection.withContext { context, _ in .pulse(pa_context_errno(context), while: doing) }
    }
  }
}

extension pa_sample_spec {
  /// 32-bit floats in this machine's order.
  fileprivate init(_ format: AudioFormat) {
    self.init(
      format: auricle_pulse_float, rate: UInt32(format.sampleRate), channels: UInt8(format.channelCount))
  }
}
