import AuricleCapture
import AuricleRecognition

/// A microphone that does what a test tells it, on the test's own thread.
public final class ScriptedAmbientSource: AmbientAudioSource {
  /// Thrown where a script asks for a failure.
  public struct Failure: Error {
    /// Creates a failure.
    public init() {}
  }

  /// What was asked of the source, in order.
  public enum Call: Sendable, Hashable {
    case requestPermission
    case start(UInt64)
    case stop
  }

  private struct State: Sendable {
    var permission: CapturePermission
    var answer = CapturePermission.granted
    var calls: [Call] = []
    var sinks: [AmbientSink] = []
    var failsToStart = false
    var failsToStop = false
    var isRunning = false
    var whenStarting: (@Sendable (AmbientSink) -> Void)?
  }

  private let state: Guarded<State>

  /// Creates a source that was never asked for anything.
  /// - Parameter permission: What the system says at first.
  public init(permission: CapturePermission = .granted) {
    state = Guarded(State(permission: permission))
  }

  /// What the system says.
  public var permission: CapturePermission { state.withLock { $0.permission } }
  /// What was asked of the source so far.
  public var calls: [Call] { state.withLock { $0.calls } }
  /// Whether it was started and not stopped.
  public var isRunning: Bool { state.withLock { $0.isRunning } }
  /// How many attempts there were.
  public var attemptCount: Int { state.withLock { $0.sinks.count } }
  /// The sink of an attempt, counted from 0; of the latest one where none is named.
  public func sink(_ attempt: Int? = nil) -> AmbientSink {
    // The array stays behind the lock: a copy's release would be out of ThreadSanitizer's sight.
    state.withLock { $0.sinks[attempt ?? $0.sinks.count - 1] }
  }

  /// Changes what the system says, without a word to anybody.
  public func set(permission: CapturePermission) { state.withLock { $0.permission = permission } }
  /// Sets what the user will answer.
  public func set(answer: CapturePermission) { state.withLock { $0.answer = answer } }
  /// Whether the next starts throw.
  public func set(failsToStart: Bool) { state.withLock { $0.failsToStart = failsToStart } }
  /// Whether the next stops throw.
  public func set(failsToStop: Bool) { state.withLock { $0.failsToStop = failsToStop } }
  /// Something to do from within the next starts.
  public func whenStarting(_ body: @escaping @Sendable (AmbientSink) -> Void) {
    state.withLock { $0.whenStarting = body }
  }

  /// Hands over samples in the latest attempt, or an earlier one.
  /// - Returns: The buffer, which was wiped.
  @discardableResult
  public func deliver(
    _ samples: [Float], at offset: Int64 = 0, sampleRate: Double = 16_000, attempt: Int? = nil
  ) throws -> CapturePCMBuffer {
    let buffer = try CapturePCMBuffer(sampleRate: sampleRate, sampleOffset: offset, samples: samples)
    sink(attempt).receive(buffer)
    return buffer
  }

  /// Tells something in the latest attempt, or an earlier one.
  public func notify(_ event: AmbientSourceEvent, attempt: Int? = nil) {
    sink(attempt).notify(event)
  }

  /// Answers at once, with what the script says.
  public func requestPermission(_ completion: @escaping @Sendable (CapturePermission) -> Void) {
    let answer = state.withLock { state in
      state.calls.append(.requestPermission)
      state.permission = state.answer
      return state.permission
    }
    completion(answer)
  }

  /// Starts, or fails as the script says.
  public func start(_ sink: AmbientSink) throws {
    let (fails, body) = state.withLock { state in
      state.calls.append(.start(sink.epoch))
      if !state.failsToStart {
        state.sinks.append(sink)
        state.isRunning = true
      }
      return (state.failsToStart, state.whenStarting)
    }
    body?(sink)
    if fails { throw Failure() }
  }

  /// Stops, or fails as the script says.
  public func stop() throws {
    let fails = state.withLock { state in
      state.calls.append(.stop)
      state.isRunning = false
      return state.failsToStop
    }
    if fails { throw Failure() }
  }
}
