import AuricleAudio
import CPulse
import Synchronization

/// A connection to a sound server, with the library's thread that serves it; closed exactly once.
///
/// Everything here waits for the server or for the library's lock, so it is called from a thread of its own, and never
/// from the library's.
final class PulseConnection: @unchecked Sendable {
  // The rule that makes it safe: both pointers are set before the library's thread starts and never change. The library
  // is called under its own lock, and whoever first sets isClosed frees.
  private let mainloop: OpaquePointer
  private let context: OpaquePointer
  private let patience: Duration
  private let isClosed = Atomic(false)

  /// Connects, and waits for the server's welcome.
  /// - Parameters:
  ///   - server: Its address; `nil` for the user's own.
  ///   - patience: How long to wait for each answer.
  /// - Throws: `AudioError` of kind `serverLost`, `notPermitted` or `timedOut`.
  init(server: String?, patience: Duration) throws(AudioError) {
    guard let mainloop = pa_threaded_mainloop_new() else { throw .noServer(Int32(PA_ERR_INTERNAL.rawValue), server) }
    guard let context = pa_context_new(pa_threaded_mainloop_get_api(mainloop), "Auricle") else {
      pa_threaded_mainloop_free(mainloop)
      throw .noServer(Int32(PA_ERR_INTERNAL.rawValue), server)
    }
    self.mainloop = mainloop
    self.context = context
    self.patience = patience
    pa_threaded_mainloop_set_name(mainloop, "auricle.pulse")
    pa_context_set_state_callback(context, pulseContextChanged, UnsafeMutableRawPointer(mainloop))
    // No server is started from here: a recorder that brings up a second one hears nothing.
    guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0,
      pa_threaded_mainloop_start(mainloop) >= 0
    else { throw .noServer(pa_context_errno(context), server) }
    try withLock { () throws(AudioError) in
      try wait {
        pa_context_get_state(context) == PA_CONTEXT_READY
      } orFail: {
        .noServer($0, server)
      }
    }
  }

  deinit { close() }

  /// Ends the connection and the library's thread. Repeated calls do nothing.
  func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    withLock {
      pa_context_set_state_callback(context, nil, nil)
      pa_context_disconnect(context)
      pa_context_unref(context)
    }
    pa_threaded_mainloop_stop(mainloop)
    pa_threaded_mainloop_free(mainloop)
  }

  /// Calls the library while its thread waits. Not to be called from inside the body.
  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    pa_threaded_mainloop_lock(mainloop)
    defer { pa_threaded_mainloop_unlock(mainloop) }
    return try body()
  }

  /// Lends what calls of the library need. Under the lock.
  func withContext<R, E: Error>(_ body: (_ context: OpaquePointer, _ mainloop: OpaquePointer) throws(E) -> R) throws(E)
    -> R
  {
    try body(context, mainloop)
  }

  /// Waits for an answer to a question. Under the lock.
  func finish(_ operation: OpaquePointer?, while doing: String) throws(AudioError) {
    guard let operation else { throw .pulse(pa_context_errno(context), while: doing) }
    defer { pa_operation_unref(operation) }
    do throws(AudioError) {
      try wait {
        pa_operation_get_state(operation) != PA_OPERATION_RUNNING
      } orFail: {
        .pulse($0, while: doing)
      }
    } catch {
      pa_operation_cancel(operation)
      throw error
    }
  }

  /// Waits until the library's thread has brought something about. Under the lock.
  func wait(until isDone: () -> Bool, orFail failure: (Int32) -> AudioError) throws(AudioError) {
    let deadline = Deadline(mainloop)
    let event = pa_context_rttime_new(
      context, pa_rtclock_now() + UInt64(max(0, patience / .microseconds(1))), pulseDeadlinePassed,
      Unmanaged.passUnretained(deadline).toOpaque())
    defer { if let event { pa_threaded_mainloop_get_api(mainloop).pointee.time_free(event) } }
    while !isDone() {
      guard pa_context_get_state(context).isGood else { throw failure(pa_context_errno(context)) }
      guard !deadline.hasPassed else {
        throw .noAnswer(pa_context_get_server(context).map { String(cString: $0) }, patience)
      }
      pa_threaded_mainloop_wait(mainloop)
    }
  }
}

/// Tells a waiting thread that it has waited long enough; touched under the library's lock only.
private final class Deadline {
  private let mainloop: OpaquePointer
  private(set) var hasPassed = false

  init(_ mainloop: OpaquePointer) { self.mainloop = mainloop }

  func pass() {
    hasPassed = true
    pa_threaded_mainloop_signal(mainloop, 0)
  }
}

extension pa_context_state_t {
  /// Whether the connection is there, or will be.
  var isGood: Bool {
    [PA_CONTEXT_CONNECTING, PA_CONTEXT_AUTHORIZING, PA_CONTEXT_SETTING_NAME, PA_CONTEXT_READY].contains(self)
  }
}

// C calls these from the library's thread, so they belong to no actor.

private nonisolated func pulseDeadlinePassed(
  _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ event: OpaquePointer?, _ time: UnsafePointer<timeval>?,
  _ userdata: UnsafeMutableRawPointer?
) {
  guard let userdata else { return }
  Unmanaged<Deadline>.fromOpaque(userdata).takeUnretainedValue().pass()
}

private nonisolated func pulseContextChanged(_ context: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?) {
  guard let userdata else { return }
  pa_threaded_mainloop_signal(OpaquePointer(userdata), 0)
}
