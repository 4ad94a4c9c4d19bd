/// What a connection holds: messages both ways, who waits for them, and how far it is from its end.
///
/// It knows no socket, thread or clock. A transport asks it what to send and tells it what came.
struct LinkState: Sendable {
  /// How far the connection is.
  enum Phase: Sendable {
    /// It is being made. Legal: opened, ended. Nobody else has it yet.
    case connecting
    /// Both ways are open. Legal: everything.
    case open
    /// This side says or said farewell: nothing more is taken to be sent. Legal: what comes, ended.
    case closing(WebSocketClosure)
    /// It is over. Everything is late and ignored.
    case ended(WebSocketClosure)
  }

  let limits: WebSocketLimits
  var phase = Phase.connecting
  private var wasOpened = false
  /// What the other side said in its farewell.
  var farewell: WebSocketClosure?
  var isFarewellSent = false

  var outgoing = LinkQueue()
  var senders: [LinkSender] = []
  var unsentPings = 0
  var pings: [LinkWaiter] = []
  var closers: [LinkWaiter] = []
  var opener: LinkWaiter?

  var incoming = LinkQueue()
  var partial: [UInt8] = []
  var reader: LinkReader?
  /// Whether the transport reads no more for now.
  var isPaused = false

  private var nextID: UInt64 = 0

  init(limits: WebSocketLimits) {
    self.limits = limits
  }

  mutating func newID() -> UInt64 {
    nextID += 1
    return nextID
  }

  /// How the connection ended, if it has.
  var closure: WebSocketClosure? {
    if case .ended(let closure) = phase { closure } else { nil }
  }

  /// Whether the farewell is due or under way.
  var isClosing: Bool {
    if case .closing = phase { true } else { false }
  }

  /// Why nothing can be sent.
  var refusal: WebSocketError? {
    switch phase {
    case .connecting, .open: nil
    case .closing: Self.isClosed
    case .ended(let closure): closure.error ?? Self.isClosed
    }
  }

  static let isClosed = WebSocketError(.closed, "The connection is closed.")
  static let isCancelled = WebSocketError(.cancelled, "The call was cancelled.")

  // MARK: Being made

  mutating func waitUntilOpen(_ waiter: LinkWaiter) -> [LinkAction] {
    switch phase {
    case .connecting:
      opener = waiter
      return []
    case .open, .closing: return [.resume(waiter, .success(()))]
    // It came and went before anybody asked: what it said is still there to be read.
    case .ended where wasOpened: return [.resume(waiter, .success(()))]
    case .ended(let closure): return [.resume(waiter, .failure(closure.error ?? Self.isClosed))]
    }
  }

  /// The two sides came to terms. Late when it was given up meanwhile.
  mutating func opened() -> [LinkAction] {
    guard case .connecting = phase else { return [] }
    phase = .open
    wasOpened = true
    defer { opener = nil }
    return opener.map { [.resume($0, .success(()))] } ?? []
  }

  // MARK: The end

  /// This side wants to end. What waits is sent first; who waits to send is refused.
  mutating func close(_ closure: WebSocketClosure) -> [LinkAction] {
    switch phase {
    case .closing, .ended: return []
    case .connecting: return ended(closure)
    case .open: break
    }
    phase = .closing(closure)
    isPaused = false
    defer { senders = [] }
    return senders.map { .resume($0.waiter, .failure(Self.isClosed)) } + [.wake]
  }

  mutating func waitUntilEnded(_ waiter: LinkWaiter) -> [LinkAction] {
    if closure != nil { return [.resume(waiter, .success(()))] }
    closers.append(waiter)
    return []
  }

  /// The other side said farewell. What it sent before is still there to be read.
  mutating func heardFarewell(_ closure: WebSocketClosure) {
    if farewell == nil { farewell = closure }
  }

  /// The transport is gone: after a farewell, or without one.
  mutating func transportEnded(_ error: WebSocketError) -> [LinkAction] {
    if case .closing(let closure) = phase, isFarewellSent { return ended(closure) }
    if let farewell { return ended(farewell) }
    return ended(.lost(error))
  }

  /// It is over, whatever was under way.
  mutating func ended(_ closure: WebSocketClosure) -> [LinkAction] {
    if self.closure != nil { return [] }
    phase = .ended(closure)
    let failure = LinkOutcome.failure(closure.error ?? Self.isClosed)
    var actions: [LinkAction] = [.wake]
    actions += (senders.map(\.waiter) + pings).map { .resume($0, failure) }
    actions += closers.map { .resume($0, .success(())) }
    if let opener { actions.append(.resume(opener, failure)) }
    if let reader { actions.append(.deliver(reader, nil)) }
    (senders, pings, closers, opener, reader) = ([], [], [], nil, nil)
    (outgoing, partial, unsentPings) = (LinkQueue(), [], 0)
    return actions
  }

  /// A waiting call was cancelled. Late when it went on meanwhile.
  mutating func release(_ id: UInt64) -> [LinkAction] {
    if let reader, reader.id == id {
      self.reader = nil
      return [.deliver(reader, nil)]
    }
    if let opener, opener.id == id {
      return ended(.lost(Self.isCancelled))
    }
    if let index = senders.firstIndex(where: { $0.waiter.id == id }) {
      return [.resume(senders.remove(at: index).waiter, .failure(Self.isCancelled))] + admitSenders()
    }
    if let index = pings.firstIndex(where: { $0.id == id }) {
      return [.resume(pings.remove(at: index), .failure(Self.isCancelled))]
    }
    if let index = closers.firstIndex(where: { $0.id == id }) {
      return [.resume(closers.remove(at: index), .success(()))]
    }
    return []
  }
}
