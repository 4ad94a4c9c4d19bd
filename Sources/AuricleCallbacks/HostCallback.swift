/// A callback of the host, which is not `Sendable` since the vendors' are not.
package struct HostCallback<Arguments>: @unchecked Sendable {
  // The rule that makes it safe: it is handed over once and called only through a lane, one call at a time and each after
  // the one before. The tests of CallbackLane run such callbacks under ThreadSanitizer.
  private let body: (Arguments) -> Void

  /// Takes over a callback.
  package init(_ body: @escaping (Arguments) -> Void) { self.body = body }

  /// Calls it; only from a lane's call.
  package func callAsFunction(_ arguments: Arguments) { body(arguments) }
}
