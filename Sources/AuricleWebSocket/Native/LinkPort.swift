#if canImport(CWebSockets)
  import CWebSockets

  /// One open connection as its event loop sees it: carries between libwebsockets and a link. On the loop's thread only.
  final class LinkPort {
    /// What the connection's one timer waits for.
    private enum Timer {
      /// Nothing.
      case off
      /// Time to ask for a sign of life.
      case idle
      /// The sign of life.
      case pong
      /// The end of the farewell.
      case farewell
    }

    /// What a ping carries: libwebsockets does not tell of the answer to an empty one.
    private static let question = Array("auricle".utf8)

    let wsi: OpaquePointer
    let link: Link
    private let limits: WebSocketLimits
    private var waitsFor = Timer.off
    private let timer: UnsafeMutablePointer<auricle_timer>
    private var hasHeard = false
    private var isReadingStopped = false
    private var owesPing = false
    private var buffer: [UInt8] = []

    init(wsi: OpaquePointer, link: Link, limits: WebSocketLimits) {
      self.wsi = wsi
      self.link = link
      self.limits = limits
      timer = .allocate(capacity: 1)
      timer.initialize(to: auricle_timer())
      timer.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
      timer.pointee.fire = { owner in
        if let owner { Unmanaged<LinkPort>.fromOpaque(owner).takeUnretainedValue().timerFired() }
      }
    }

    deinit {
      timer.deinitialize(count: 1)
      timer.deallocate()
    }

    /// The two sides came to terms.
    func established() {
      link.perform { $0.opened() }
      setTimer(.idle, limits.pingInterval)
      look()
    }

    /// Somebody wants something.
    func look() {
      let (isEnded, isClosing, isPaused, hasOutgoing) = link.read {
        ($0.closure != nil, $0.isClosing, $0.isPaused, $0.hasOutgoing)
      }
      if isEnded { return auricle_lws_kill(wsi) }
      if isReadingStopped && !isPaused {
        isReadingStopped = false
        hasHeard = true
        lws_rx_flow_control(wsi, 1)
      }
      if isClosing && waitsFor != .farewell { setTimer(.farewell, limits.closeTime) }
      if hasOutgoing { lws_callback_on_writable(wsi) }
    }

    func received(_ bytes: UnsafeRawBufferPointer) -> Int32 {
      hasHeard = true
      let isText = lws_frame_is_binary(wsi) == 0
      let isLast = lws_is_final_fragment(wsi) != 0
      switch link.decide({ $0.received(bytes, isText: isText, isLast: isLast) }) {
      case .goOn: return 0
      case .pause:
        isReadingStopped = true
        lws_rx_flow_control(wsi, 0)
        return 0
      case .tooBig:
        setTimer(.farewell, limits.closeTime)
        return sayFarewell(.messageTooBig, "A message is over the limit.")
      }
    }

    func writeable() -> Int32 {
      if owesPing {
        owesPing = false
        return write(Self.question, LWS_WRITE_PING)
      }
      switch link.decide({ $0.takeOutgoing() }) {
      case nil: return 0
      case .ping: return write(Self.question, LWS_WRITE_PING)
      case .message(.text(let text)): return write(Array(text.utf8), LWS_WRITE_TEXT)
      case .message(.binary(let bytes)): return write(bytes, LWS_WRITE_BINARY)
      case .farewell(let code, let reason): return sayFarewell(code, reason)
      }
    }

    func heardPong() {
      hasHeard = true
      link.perform { $0.heardPong() }
    }

    /// The other side ends. libwebsockets answers by itself.
    func heardFarewell(_ bytes: UnsafeRawBufferPointer) {
      let code = bytes.count < 2 ? .none : WebSocketCloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
      let reason = String(decoding: bytes.dropFirst(2), as: UTF8.self)
      link.perform { state in
        state.heardFarewell(WebSocketClosure(code, reason))
        return []
      }
    }

    /// A failure wakes the loop, which ends the connection at once. Returning -1 would have libwebsockets try for five
    /// seconds to send what it still holds.
    private func timerFired() {
      switch waitsFor {
      case .off: break
      case .farewell:
        link.fail(WebSocketError(.timedOut, "The other side did not answer the farewell in time."))
      case .pong where !hasHeard && !isReadingStopped:
        link.fail(WebSocketError(.pingTimeout, "The other side gave no sign of life in time."))
      case .pong: setTimer(.idle, limits.pingInterval)
      case .idle:
        hasHeard = false
        owesPing = true
        setTimer(.pong, limits.pongTime)
        lws_callback_on_writable(wsi)
      }
    }

    /// The connection is gone, or the loop will be.
    func ended() {
      auricle_timer_cancel(timer)
      link.perform { $0.transportEnded(WebSocketError(.lost, "The connection broke.")) }
    }

    private func setTimer(_ timer: Timer, _ time: Duration?) {
      waitsFor = time == nil ? .off : timer
      if let time { auricle_timer_set(self.timer, lws_get_context(wsi), time.microseconds) }
    }

    private func sayFarewell(_ code: WebSocketCloseCode, _ reason: String) -> Int32 {
      var bytes = Array(reason.utf8)
      lws_close_reason(wsi, lws_close_status(UInt32(code.rawValue)), &bytes, bytes.count)
      return -1
    }

    /// libwebsockets takes everything at once and keeps what the socket does not: one message at a time, therefore.
    private func write(_ bytes: [UInt8], _ kind: lws_write_protocol) -> Int32 {
      let space = Int(auricle_lws_space_before)
      buffer.removeAll(keepingCapacity: buffer.capacity <= 65_536)
      buffer.append(contentsOf: repeatElement(0, count: space))
      buffer.append(contentsOf: bytes)
      let written = buffer.withUnsafeMutableBufferPointer { lws_write(wsi, $0.baseAddress! + space, bytes.count, kind) }
      guard written >= bytes.count else { return -1 }
      if link.read({ $0.hasOutgoing }) { lws_callback_on_writable(wsi) }
      return 0
    }
  }
#endif
