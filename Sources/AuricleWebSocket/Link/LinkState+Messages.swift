extension LinkState {
  // MARK: From here

  /// Takes a message to be sent, or lets the caller wait.
  mutating func send(_ sender: LinkSender, isCancelled: Bool) -> [LinkAction] {
    if let refusal { return [.resume(sender.waiter, .failure(refusal))] }
    if isCancelled { return [.resume(sender.waiter, .failure(Self.isCancelled))] }
    senders.append(sender)
    return admitSenders()
  }

  /// Takes from those who wait, in order, what fits now. A message that is alone always fits.
  mutating func admitSenders() -> [LinkAction] {
    var admitted: [LinkAction] = []
    while let next = senders.first,
      outgoing.isEmpty || outgoing.cost + LinkQueue.cost(next.message) <= limits.sendByteCount
    {
      senders.removeFirst()
      outgoing.append(next.message)
      admitted.append(.resume(next.waiter, .success(())))
    }
    return admitted.isEmpty ? [] : admitted + [.wake]
  }

  /// Asks for a sign of life.
  mutating func ping(_ waiter: LinkWaiter, isCancelled: Bool) -> [LinkAction] {
    if let refusal { return [.resume(waiter, .failure(refusal))] }
    if isCancelled { return [.resume(waiter, .failure(Self.isCancelled))] }
    pings.append(waiter)
    unsentPings += 1
    return [.wake]
  }

  /// What the transport sends next; it asks again until there is nothing.
  mutating func takeOutgoing() -> (next: LinkOutgoing?, actions: [LinkAction]) {
    switch phase {
    case .connecting, .ended: return (nil, [])
    case .open, .closing: break
    }
    if isFarewellSent || farewell != nil { return (nil, []) }
    if unsentPings > 0 {
      unsentPings -= 1
      return (.ping, [])
    }
    if let message = outgoing.take() { return (.message(message), admitSenders()) }
    guard case .closing(let closure) = phase else { return (nil, []) }
    isFarewellSent = true
    return (.farewell(closure.code, closure.reason), [])
  }

  /// Whether the transport would get something.
  var hasOutgoing: Bool {
    !isFarewellSent && farewell == nil && closure == nil && (unsentPings > 0 || !outgoing.isEmpty || isClosing)
  }

  // MARK: From there

  /// A sign of life came. It answers everybody who asked before.
  mutating func heardPong() -> [LinkAction] {
    defer { pings = [] }
    return pings.map { .resume($0, .success(())) }
  }

  /// A piece of a message came.
  mutating func received(
    _ piece: some Collection<UInt8>, isText: Bool, isLast: Bool
  ) -> (verdict: LinkVerdict, actions: [LinkAction]) {
    switch phase {
    case .connecting, .ended: return (.goOn, [])
    case .open, .closing: break
    }
    guard partial.count + piece.count <= limits.messageByteCount else { return tooBig() }
    partial.append(contentsOf: piece)
    guard isLast else { return (.goOn, []) }
    defer { partial = [] }
    return received(isText ? .text(String(decoding: partial, as: UTF8.self)) : .binary(partial))
  }

  /// A whole message came.
  mutating func received(_ message: WebSocketMessage) -> (verdict: LinkVerdict, actions: [LinkAction]) {
    guard message.byteCount <= limits.messageByteCount else { return tooBig() }
    if let reader {
      self.reader = nil
      return (.goOn, [.deliver(reader, message)])
    }
    // While closing nobody may hold up the farewell: what nobody reads is dropped.
    if isClosing && incoming.cost >= limits.receiveByteCount { return (.goOn, []) }
    incoming.append(message)
    isPaused = isPaused || (!isClosing && incoming.cost >= limits.receiveByteCount)
    return (isPaused ? .pause : .goOn, [])
  }

  private mutating func tooBig() -> (verdict: LinkVerdict, actions: [LinkAction]) {
    partial = []
    if isClosing { return (.goOn, []) }
    let actions = close(WebSocketClosure(.messageTooBig, "A message is over the limit."))
    isFarewellSent = true
    return (.tooBig, actions)
  }

  /// Takes the next message, or lets the caller wait.
  mutating func receive(_ reader: LinkReader, isCancelled: Bool) -> [LinkAction] {
    var actions: [LinkAction] = []
    if let late = self.reader { actions.append(.deliver(late, nil)) }
    self.reader = nil
    if isCancelled { return actions + [.deliver(reader, nil)] }
    if let message = incoming.take() {
      actions.append(.deliver(reader, message))
      if isPaused && incoming.cost <= limits.receiveByteCount / 2 {
        isPaused = false
        actions.append(.wake)
      }
    } else if closure != nil {
      actions.append(.deliver(reader, nil))
    } else {
      self.reader = reader
    }
    return actions
  }
}
