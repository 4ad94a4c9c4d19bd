#if canImport(CWebSockets)
  import CWebSockets
  import Foundation

  /// One context of libwebsockets with a thread of its own. Everything but the mailbox belongs to that thread.
  class EventLoop {
    let mailbox: LoopMailbox
    let memory = LoopMemory()
    private(set) var context: OpaquePointer?
    private(set) var ports: [OpaquePointer: LinkPort] = [:]
    private var portsOfLinks: [ObjectIdentifier: LinkPort] = [:]
    /// Set where a timer ends the last connection, the library would go on to wait for the next thing to happen.
    var isFinished = false {
      didSet { if isFinished, let context { lws_cancel_service(context) } }
    }

    init(mailbox: LoopMailbox) {
      self.mailbox = mailbox
    }

    /// Starts a thread that makes a loop, runs it and lets go of it.
    static func start(_ body: @escaping @Sendable () -> Void) {
      let thread = Thread {
        // By itself: `Thread.name` names nothing that the system shows.
        auricle_name_thread("auricle-ws")
        body()
      }
      thread.start()
    }

    /// Makes the context. False when the system gives no more.
    func open(descriptors: Int, headerBytes: Int, handshakeSeconds: Int) -> Bool {
      _ = LibraryOnce.isPrepared
      var info = lws_context_creation_info()
      info.options = auricle_lws_explicit_vhosts
      info.user = Unmanaged.passUnretained(self).toOpaque()
      info.fd_limit_per_thread = UInt32(descriptors)
      info.pt_serv_buf_size = 16_384
      info.max_http_header_data = UInt16(clamping: headerBytes)
      info.max_http_header_pool = UInt16(clamping: descriptors)
      info.timeout_secs = UInt32(handshakeSeconds)
      info.retry_and_idle_policy = UnsafePointer(memory.idlePolicy)
      context = lws_create_context(&info)
      return context != nil
    }

    /// Runs until `isFinished`.
    func run() {
      guard let context else { return }
      mailbox.open(context)
      while !isFinished, lws_service(context, 0) >= 0 {}
    }

    /// Destroys the context, with every connection that is left.
    func close() {
      mailbox.close()
      for port in ports.values { port.ended() }
      if let context { lws_context_destroy(context) }
      context = nil
      ports = [:]
      portsOfLinks = [:]
    }

    func add(_ port: LinkPort) {
      ports[port.wsi] = port
      portsOfLinks[ObjectIdentifier(port.link)] = port
    }

    private func remove(_ port: LinkPort) {
      ports[port.wsi] = nil
      portsOfLinks[ObjectIdentifier(port.link)] = nil
    }

    /// Somebody woke the loop.
    func woken() {
      let asked = mailbox.take()
      for link in asked.links { portsOfLinks[ObjectIdentifier(link)]?.look() }
      if asked.isStopping { stop() }
    }

    func stop() { isFinished = true }

    /// What the trust in a server rests on; the connection it is asked for may not be known yet.
    func handleTrust(_ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?, _ isTrusted: Bool) -> Int32 { 0 }

    /// What happens at a connection that is open, either side.
    func handle(
      _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ input: UnsafeMutableRawPointer?, _ count: Int
    ) -> Int32 {
      guard let port = ports[wsi] else { return 0 }
      let bytes = UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : count)
      switch reason {
      case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_CLIENT_RECEIVE: return port.received(bytes)
      case LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLIENT_WRITEABLE: return port.writeable()
      case LWS_CALLBACK_RECEIVE_PONG, LWS_CALLBACK_CLIENT_RECEIVE_PONG: port.heardPong()
      case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: port.heardFarewell(bytes)
      case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLIENT_CLOSED:
        remove(port)
        port.ended()
      default: break
      }
      return 0
    }
  }

  /// What libwebsockets prepares once for a process. Each context that asks for TLS takes new numbers for its places in
  /// OpenSSL's objects, which all contexts share: so one context asks, alone, and no other one does.
  private enum LibraryOnce {
    static let isPrepared: Bool = {
      auricle_lws_quiet()
      var info = lws_context_creation_info()
      info.options = auricle_lws_tls | auricle_lws_explicit_vhosts
      info.fd_limit_per_thread = 4
      guard let context = lws_create_context(&info) else { return false }
      lws_context_destroy(context)
      return true
    }()
  }

  /// Where libwebsockets calls. Runs on the thread of the loop that the context belongs to.
  func eventLoopCallback(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int32 {
    guard let wsi, let context = lws_get_context(wsi), let address = lws_context_user(context) else { return 0 }
    let loop = Unmanaged<EventLoop>.fromOpaque(address).takeUnretainedValue()
    if reason == LWS_CALLBACK_EVENT_WAIT_CANCELLED {
      loop.woken()
      return 0
    }
    switch reason {
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS,
      LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION:
      return loop.handleTrust(reason, user, count != 0)
    default: return loop.handle(wsi, reason, input, count)
    }
  }
#endif
