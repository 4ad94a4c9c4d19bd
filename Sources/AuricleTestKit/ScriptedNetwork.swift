import AuricleRecognition
import AuricleSession

/// A network that is there when a test says so.
public final class ScriptedNetwork: NetworkMonitor {
  private struct State {
    var isOnline: Bool
    var nextID = 0
    var listeners: [Int: AsyncStream<Bool>.Continuation] = [:]
  }

  private let state: Guarded<State>

  /// Creates a network.
  /// - Parameter isOnline: Whether it is there at first.
  public init(isOnline: Bool = true) { state = Guarded(State(isOnline: isOnline)) }

  /// Whether it is there.
  public var isOnline: Bool { state.withLock { $0.isOnline } }
  /// How many listen to its changes.
  public var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Switches it on or off.
  public func set(isOnline: Bool) {
    state.withLock { state in
      state.isOnline = isOnline
      for listener in state.listeners.values { listener.yield(isOnline) }
    }
  }

  /// Whether it is there: now, and after each change; of changes that nobody has read the latest.
  public func changes() -> AsyncStream<Bool> {
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.listeners[state.nextID] = continuation
      continuation.yield(state.isOnline)
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }
}
