/// Tells whether there is a network.
public protocol NetworkMonitor: Sendable {
  /// Whether there is one now.
  var isOnline: Bool { get }
  /// Whether there is one: now, and after each change. Ends when the task that reads it is cancelled. Of changes that nobody
  /// has read only the latest is kept.
  func changes() -> AsyncStream<Bool>
}

/// A network that is always there: for programs that have none to watch, and providers that need none.
public struct AlwaysOnline: NetworkMonitor {
  /// Creates it.
  public init() {}
  /// Always.
  public var isOnline: Bool { true }
  /// Says so once.
  public func changes() -> AsyncStream<Bool> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { $0.yield(true) }
  }
}
