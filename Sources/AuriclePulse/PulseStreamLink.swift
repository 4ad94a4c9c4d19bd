import AuricleAudio
import AuricleCapture
import CPulse

/// Whoever wants to know what becomes of a stream. Called from the library's thread, under its lock: be short.
protocol PulseStreamOwner: AnyObject, Sendable {
  /// It is over.
  /// - Parameters:
  ///   - error: Why.
  ///   - isDeviceGone: Whether the server said that its device is gone.
  func streamIsLost(_ error: AudioError, isDeviceGone: Bool)
  /// The server moved it.
  /// - Returns: Whether the device may be heard.
  func streamIsMoved(to device: CaptureDevice) -> Bool
}

/// Tells a stream's owner what becomes of it, and its ring what it missed.
final class PulseStreamLink: @unchecked Sendable {
  // The rule that makes it safe: after init it is touched under the library's lock only, mostly in its callbacks.
  private let mainloop: OpaquePointer
  private let source: RingSource<ContinuousClock>
  private let time: PulseTime
  private weak var owner: (any PulseStreamOwner)?
  private var name: String
  private var clockWatch: ClockWatch
  /// Whether the stream is heard: from its begin to its loss.
  private var isLive = false
  /// When the device was put to sleep.
  private var asleepSince: Duration?
  /// Up to when a sleeping device's time is counted as missing.
  private var missedUntil: Duration = .zero

  /// When the stream began to be heard.
  private var beginTime: Duration = .zero

  /// A device may give its first frames so late without having lost any.
  private static let longestStart = Duration.seconds(1)
  /// Frames that are so much older than the stream were heard before it.
  private static let longestPast = Duration.milliseconds(100)

  private var move = Move()

  /// A move of which the server has yet to say where to.
  private struct Move {
    var stream: OpaquePointer?
    var openQuestionCount = 0
    var answer: CaptureDevice?
  }

  /// How often frames are compared with the clock, in microseconds.
  private static let clockInterval: pa_usec_t = 100_000

  init(
    _ mainloop: OpaquePointer, _ source: RingSource<ContinuousClock>, _ owner: any PulseStreamOwner, device: String,
    _ time: PulseTime
  ) {
    self.mainloop = mainloop
    self.source = source
    self.owner = owner
    self.time = time
    name = device
    clockWatch = ClockWatch(format: source.format)
  }

  /// From now on the stream is heard.
  /// - Parameters:
  ///   - stream: It.
  ///   - absence: Since when nothing was heard; that time becomes a gap.
  func begin(_ stream: OpaquePointer, after absence: Duration?) {
    if let absence { miss(time.now() - absence) }
    clockWatch = ClockWatch(format: source.format, after: source.ring.counts.offered)
    isLive = true
    beginTime = time.now()
    // What happened since it was ready, when nobody was told.
    changed(stream)
    suspended(stream)
  }

  func changed(_ stream: OpaquePointer) {
    let state = pa_stream_get_state(stream)
    if state == PA_STREAM_FAILED || state == PA_STREAM_TERMINATED {
      let error = reason(stream)
      lose(error, isDeviceGone: error.kind == .deviceLost)
    }
    pa_threaded_mainloop_signal(mainloop, 0)
  }

  /// A sleeping device sends nothing, and its time goes on: what it missed is a gap.
  func suspended(_ stream: OpaquePointer) {
    guard isLive else { return }
    if pa_stream_is_suspended(stream) == 1 {
      guard asleepSince == nil else { return }
      asleepSince = time.now()
      missedUntil = time.now()
      source.note(.suspended(name))
    } else if let asleep = wake() {
      source.note(.resumed(name, after: asleep))
    }
  }

  /// The server moved the stream, although it was asked not to. Until it says what is heard now, nothing is.
  func moved(_ stream: OpaquePointer) {
    guard isLive, let device = pa_stream_get_device_name(stream) else { return }
    pa_stream_set_read_callback(stream, pulseStreamHasReadUnknown, Unmanaged.passUnretained(source.ring).toOpaque())
    move.stream = stream
    move.openQuestionCount += 1
    let question = pa_context_get_source_info_by_name(
      pa_stream_get_context(stream), device, pulseMovedSourceIs, Unmanaged.passUnretained(self).toOpaque())
    if let question { pa_operation_unref(question) } else { answerEnded(isKnown: false) }
  }

  fileprivate func answered(_ device: CaptureDevice) { move.answer = device }

  /// A question's answer is over. The last one counts, should the stream have moved again meanwhile.
  fileprivate func answerEnded(isKnown: Bool) {
    move.openQuestionCount -= 1
    if !isKnown { move.answer = nil }
    guard move.openQuestionCount == 0, let stream = move.stream, isLive else { return }
    let device = move.answer
    if let device, owner?.streamIsMoved(to: device) == true {
      name = device.name
      pa_stream_set_read_callback(stream, pulseStreamHasRead, Unmanaged.passUnretained(source.ring).toOpaque())
      return
    }
    let target = device.map { printable($0.name) } ?? "an unknown source"
    lose(
      AudioError(.deviceLost, "the sound server moved the recording from \(printable(name)) to \(target)"),
      isDeviceGone: false)
  }

  /// The first frames are there: lets go of those that are older than the stream, and notes what is missing before them.
  /// - Returns: Where the frames belong.
  func heardFirst(_ stream: OpaquePointer) -> CaptureRing {
    let format = source.format
    let frameByteCount = format.channelCount * MemoryLayout<Float>.stride
    let readable = Duration.seconds(format.seconds(Int64(pa_stream_readable_size(stream) / frameByteCount)))
    let elapsed = time.now() - beginTime
    if elapsed - readable > Self.longestStart {
      miss(elapsed - readable)
      source.note(.missing((elapsed - readable) / .seconds(1)))
    } else if readable - elapsed > Self.longestPast {
      letGo(format.frames(seconds: (readable - elapsed) / .seconds(1)), of: stream, frameByteCount)
    }
    return source.ring
  }

  /// Drops whole packets, as many as fit into so many frames.
  private func letGo(_ frameCount: Int64, of stream: OpaquePointer, _ frameByteCount: Int) {
    var rest = Int(clamping: frameCount) * frameByteCount
    var data: UnsafeRawPointer?
    var length = 0
    while pa_stream_peek(stream, &data, &length) == 0, length > 0, length <= rest {
      rest -= length
      pa_stream_drop(stream)
    }
  }

  func compareWithClock() {
    guard isLive else { return }
    guard asleepSince == nil else { return missSleep() }
    let missing = clockWatch.look(at: time.now(), offered: source.ring.counts.offered)
    guard missing > 0 else { return }
    source.ring.miss(Int(clamping: missing), .sourceLost)
    source.note(.missing(source.format.seconds(missing)))
  }

  static func nextComparison() -> pa_usec_t { pa_rtclock_now() + clockInterval }

  /// Nothing is heard any more.
  func end() {
    _ = wake()
    isLive = false
  }

  private func lose(_ error: AudioError, isDeviceGone: Bool) {
    guard isLive else { return }
    _ = wake()
    isLive = false
    owner?.streamIsLost(error, isDeviceGone: isDeviceGone)
  }

  /// - Returns: How long the device slept.
  private func wake() -> Duration? {
    guard let since = asleepSince else { return nil }
    asleepSince = nil
    missSleep()
    return missedUntil - since
  }

  /// What a sleeping device misses is a gap while it sleeps, so a recording goes on with the clock.
  private func missSleep() {
    let now = time.now()
    miss(now - missedUntil)
    missedUntil = now
  }

  private func miss(_ time: Duration) {
    source.ring.miss(Int(clamping: source.format.frames(seconds: time / .seconds(1))), .sourceLost)
  }

  private func reason(_ stream: OpaquePointer) -> AudioError {
    let context = pa_stream_get_context(stream)
    let code = pa_context_errno(context)
    let words = String(cString: pa_strerror(code))
    if pa_context_get_state(context).isGood {
      return AudioError(
        .deviceLost, "\(printable(name)) went away (\(words)); plug it in again or choose another source",
        platformCode: Int(code))
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

nonisolated func pulseStreamMoved(_ stream: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?) {
  guard let stream, let userdata else { return }
  Unmanaged<PulseStreamLink>.fromOpaque(userdata).takeUnretainedValue().moved(stream)
}

nonisolated func pulseClockIsDue(
  _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ event: OpaquePointer?, _ time: UnsafePointer<timeval>?,
  _ userdata: UnsafeMutableRawPointer?
) {
  guard let userdata else { return }
  Unmanaged<PulseClockTimer>.fromOpaque(userdata).takeUnretainedValue().ring()
}

private nonisolated func pulseMovedSourceIs(
  _ context: OpaquePointer?, _ info: UnsafePointer<pa_source_info>?, _ end: Int32,
  _ userdata: UnsafeMutableRawPointer?
) {
  guard let userdata else { return }
  let link = Unmanaged<PulseStreamLink>.fromOpaque(userdata).takeUnretainedValue()
  if end == 0, let info, let device = CaptureDevice(info.pointee, defaultName: nil) {
    link.answered(device)
  } else if end != 0 {
    link.answerEnded(isKnown: end > 0)
  }
}
