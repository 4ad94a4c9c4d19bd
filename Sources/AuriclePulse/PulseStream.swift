import AuricleAudio
import AuricleCapture
import CPulse
import Synchronization

/// A stream from a source into a ring, with the connection that it needs; closed exactly once.
final class PulseStream: @unchecked Sendable {
  // The rule that makes it safe: nothing changes after init; the library is called under its lock, and whoever first
  // sets isClosed frees. begin() and close() are not called at once. The ring and what hears the callbacks outlive
  // them, for close() takes them away first.
  let connection: PulseConnection
  let stream: OpaquePointer
  private let source: RingSource<ContinuousClock>
  private let link: PulseStreamLink
  private let timer: PulseClockTimer
  private let watch: PulseDeviceWatch
  private let isClosed = Atomic(false)

  /// How much the server gathers before it sends, in seconds.
  private static let fragmentSeconds = 0.02

  /// Connects to a source, and waits until it is ready. Nothing is heard before ``begin(after:_:)``.
  /// - Throws: `AudioError` of kind `notFound`, `unsupportedFormat`, `deviceLost`, `serverLost` or `timedOut`.
  init(
    _ connection: PulseConnection, to device: CaptureDevice, into source: RingSource<ContinuousClock>,
    _ setup: PulseSetup, owner: any PulseStreamOwner, devices: @escaping @Sendable ([ListedDevice]) -> Void
  ) throws(AudioError) {
    let doing = "opening \(printable(device.name))"
    self.connection = connection
    self.source = source
    (stream, link, timer, watch) = try connection.withLock { () throws(AudioError) in
      try connection.withContext { context, mainloop throws(AudioError) in
        var shape = pa_sample_spec(source.format)
        guard let stream = pa_stream_new(context, "recording", &shape, nil) else {
          throw .pulse(pa_context_errno(context), while: doing)
        }
        let link = PulseStreamLink(mainloop, source, owner, device: device.name, setup.time)
        let timer = PulseClockTimer(context, mainloop, link)
        return (stream, link, timer, PulseDeviceWatch(context, report: devices))
      }
    }
    try connection.withLock { () throws(AudioError) in
      try connect(to: device, canMove: setup.allowsMoves, while: doing)
    }
  }

  deinit { close() }

  /// Begins to hear.
  /// - Parameters:
  ///   - absence: Since when nothing was heard; that time becomes a gap.
  ///   - events: What is told behind the gap.
  func begin(after absence: Duration? = nil, _ events: [CaptureEvent] = []) {
    connection.withLock {
      link.begin(stream, after: absence)
      for event in events { source.note(event) }
      timer.begin()
      watch.begin()
      if let started = pa_stream_cork(stream, 0, nil, nil) { pa_operation_unref(started) }
    }
  }

  /// Ends the stream and its connection. Repeated calls do nothing.
  func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    connection.withLock {
      pa_stream_set_read_callback(stream, nil, nil)
      pa_stream_set_state_callback(stream, nil, nil)
      pa_stream_set_suspended_callback(stream, nil, nil)
      pa_stream_set_moved_callback(stream, nil, nil)
      link.end()
      timer.end()
      watch.end()
      pa_stream_disconnect(stream)
      pa_stream_unref(stream)
    }
    connection.close()
  }

  private func connect(to device: CaptureDevice, canMove: Bool, while doing: String) throws(AudioError) {
    let listener = Unmanaged.passUnretained(link).toOpaque()
    pa_stream_set_read_callback(stream, pulseStreamHasReadFirst, listener)
    pa_stream_set_state_callback(stream, pulseStreamChanged, listener)
    pa_stream_set_suspended_callback(stream, pulseStreamSuspended, listener)
    pa_stream_set_moved_callback(stream, pulseStreamMoved, listener)
    let format = source.format
    let fragment =
      format.frames(seconds: Self.fragmentSeconds) * Int64(format.channelCount * MemoryLayout<Float>.stride)
    var buffering = pa_buffer_attr(
      maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: UInt32(fragment))
    var flags = PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_START_CORKED.rawValue
    // Never moved to another source unasked: that would be another room.
    if !canMove { flags |= PA_STREAM_DONT_MOVE.rawValue }
    guard pa_stream_connect_record(stream, device.name, &buffering, pa_stream_flags_t(flags)) >= 0 else {
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
