#if canImport(CWebSockets)
  import AuricleRecognition
  import CWebSockets

  /// How other threads speak to an event loop. `lws_cancel_service` is the one call that they may make.
  final class LoopMailbox: Sendable {
    private struct State: Sendable {
      var context: ContextPointer?
      var links: [ObjectIdentifier: Link] = [:]
      var isStopping = false
      var isShut = false
      var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    /// The loop looks at a link.
    func look(at link: Link) {
      state.withLock { state in
        guard !state.isShut else { return }
        state.links[ObjectIdentifier(link)] = link
        state.context?.wake()
      }
    }

    /// The loop comes to its end.
    func stop() {
      state.withLock { state in
        state.isStopping = true
        state.context?.wake()
      }
    }

    /// Waits until the loop's thread lets go of everything.
    func waitUntilShut() async {
      await withCheckedContinuation { continuation in
        let isShut = state.withLock { state in
          if !state.isShut { state.waiters.append(continuation) }
          return state.isShut
        }
        if isShut { continuation.resume() }
      }
    }

    // MARK: For the loop's thread

    /// From now on the loop is woken.
    func open(_ context: OpaquePointer) {
      state.withLock { state in
        state.context = ContextPointer(pointer: context)
        if state.isStopping || !state.links.isEmpty { state.context?.wake() }
      }
    }

    /// What was asked for since the last time.
    func take() -> (links: [Link], isStopping: Bool) {
      state.withLock { state in
        defer { state.links = [:] }
        return (Array(state.links.values), state.isStopping)
      }
    }

    /// From now on nobody touches the context any more.
    func close() {
      state.withLock { state in
        state.context = nil
        state.links = [:]
      }
    }

    /// Everything is let go of.
    func shut() {
      let waiters = state.withLock { state in
        state.isShut = true
        state.links = [:]
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  /// A context that other threads wake. The rule that makes it safe: it is used under the mailbox's lock only, and taken
  /// out there before the loop's thread destroys it. The tests of the event loops run under ThreadSanitizer.
  private struct ContextPointer: @unchecked Sendable {
    let pointer: OpaquePointer

    func wake() { lws_cancel_service(pointer) }
  }
#endif
