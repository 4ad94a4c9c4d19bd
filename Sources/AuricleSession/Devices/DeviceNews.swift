import AuricleRecognition
import Dispatch
import Foundation

/// What a program is told about a device and the recording with it.
public enum DeviceNews: Sendable, Hashable {
  /// How it stands now.
  case state(DeviceLifecycle.State)
  /// The device asks for a recording, and nothing is in the way: begin one that answers the request, and show nothing
  /// before it has started.
  case startRequested(DeviceStartRequest)
  /// The request is not to be answered any more.
  case requestWithdrawn(DeviceStartRequest)
  /// The device asked for a recording, and something was in the way.
  case requestRefused(DeviceStartRequest, SessionFailure)
  /// The device wants an end.
  case stopRequested
  /// The device wants a break.
  case pauseRequested
  /// The device wants the break to end.
  case resumeRequested
  /// The device was cut off, and the recording ends.
  case interrupted(InterruptionReason)
  /// A recording that had started is over: once, behind everything else of it.
  case finished(StopReason)
  /// A normal recording on the device has ended.
  case normalRecordingEnded(StopReason)
}

/// Somebody who listens to news, until ``remove()``.
public final class DeviceListening: @unchecked Sendable {
  // The rule that makes it safe: the body is read, called and removed only while the lock is held. It is recursive, since
  // a listener may remove itself. DeviceListenersTests run it from many threads under ThreadSanitizer.
  private let lock = NSRecursiveLock()
  private var body: (@Sendable (DeviceNews) -> Void)?

  init(_ body: @escaping @Sendable (DeviceNews) -> Void) { self.body = body }

  /// Listens no more: behind this call the listener is not called again. A call that runs on another thread is waited for,
  /// so do not call it while you hold what the listener waits for.
  public func remove() { lock.withLock { body = nil } }

  /// Whether it was not removed.
  public var isListening: Bool { lock.withLock { body != nil } }

  func hear(_ news: DeviceNews) { lock.withLock { body?(news) } }
}

/// Tells news in order, one at a time, on a thread of its own: who listens holds up neither device nor session.
final class DeviceListeners: Sendable {
  private struct State {
    var listeners: [DeviceListening] = []
    var waiting: [DeviceNews] = []
    var isTelling = false
    var isClosed = false
  }

  /// How many news wait for a slow listener; of more the oldest are left out, so that the latest state is always told.
  static let capacity = 256
  private let state = Guarded(State())
  // A serial queue that targets no other has a thread of its own when it needs one.
  private let queue = DispatchQueue(label: "auricle.device")

  /// Adds a listener; after ``close()`` it hears nothing.
  func add(_ body: @escaping @Sendable (DeviceNews) -> Void) -> DeviceListening {
    let listening = DeviceListening(body)
    let isClosed = state.withLock { state in
      state.listeners.removeAll { !$0.isListening }
      if !state.isClosed { state.listeners.append(listening) }
      return state.isClosed
    }
    if isClosed { listening.remove() }
    return listening
  }

  /// Tells without waiting.
  func post(_ news: DeviceNews) {
    let isIdle = state.withLock { state in
      guard !state.isClosed else { return false }
      if state.waiting.count == Self.capacity { state.waiting.removeFirst() }
      state.waiting.append(news)
      defer { state.isTelling = true }
      return !state.isTelling
    }
    if isIdle { queue.async { self.tell() } }
  }

  private func tell() {
    while let (news, listeners) = next() {
      for listener in listeners { listener.hear(news) }
    }
  }

  private func next() -> (DeviceNews, [DeviceListening])? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isTelling = false
        return nil
      }
      // A copy of its own: the array itself never leaves the lock.
      return (state.waiting.removeFirst(), state.listeners.map(\.self))
    }
  }

  /// Removes every listener, for good.
  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      state.waiting = []
      defer { state.listeners = [] }
      return state.listeners
    }
    for listener in listeners { listener.remove() }
  }
}
