#if canImport(CWebSockets)
  import CWebSockets

  /// All connections of a server.
  final class ServerLoop: EventLoop {
    private let configuration: WebSocketServerConfiguration
    private let answer: @Sendable (WebSocketRequest) -> WebSocketAnswer
    private let arrivals: AsyncStream<WebSocketArrival>.Continuation
    /// Who was told yes and is not there yet.
    private var expected: [OpaquePointer: WebSocketRequest] = [:]
    private var isStopping = false

    init(
      _ configuration: WebSocketServerConfiguration, answer: @escaping @Sendable (WebSocketRequest) -> WebSocketAnswer,
      arrivals: AsyncStream<WebSocketArrival>.Continuation, mailbox: LoopMailbox
    ) {
      self.configuration = configuration
      self.answer = answer
      self.arrivals = arrivals
      super.init(mailbox: mailbox)
    }

    /// Listens. Returns the port.
    func listen() throws(WebSocketError) -> Int {
      isFinished = true
      let seconds = max(1, Int((configuration.limits.handshakeTime / .seconds(1)).rounded(.up)))
      // Beside the connections: as many that are being made, and the loop's own.
      let descriptors = configuration.connectionCount * 2 + 16
      guard open(descriptors: descriptors, headerBytes: 8_192, handshakeSeconds: seconds) else {
        throw WebSocketError(.exhausted, "The system gives no more memory or files.")
      }
      var info = lws_context_creation_info()
      info.port = Int32(configuration.port)
      info.iface = memory.string(configuration.host)
      info.protocols = UnsafePointer(memory.protocols)
      info.vhost_name = memory.string("server")
      info.options = auricle_lws_check_utf8 | auricle_lws_must_bind
      if !configuration.host.contains(":") { info.options |= auricle_lws_no_ipv6 }
      info.alpn = memory.string("http/1.1")
      info.http_proxy_address = memory.string("")
      info.timeout_secs_ah_idle = UInt32(seconds)
      info.keepalive_timeout = Int32(seconds)
      info.retry_and_idle_policy = UnsafePointer(memory.idlePolicy)
      if let identity = configuration.identity {
        info.options |= auricle_lws_tls
        info.ssl_cert_filepath = memory.string(identity.certificatePath)
        info.ssl_private_key_filepath = memory.string(identity.keyPath)
      }
      guard let host = lws_create_vhost(context, &info), case let port = lws_get_vhost_listen_port(host), port > 0
      else {
        throw WebSocketError(.cannotListen, "The server cannot listen at \(configuration.host):\(configuration.port).")
      }
      isFinished = false
      return Int(port)
    }

    override func stop() {
      if !isStopping {
        isStopping = true
        for port in ports.values { port.link.beginClose(.goingAway, reason: "") }
      }
      finishIfDone()
    }

    private func finishIfDone() {
      if isStopping && ports.isEmpty { isFinished = true }
    }

    override func handle(
      _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ input: UnsafeMutableRawPointer?, _ count: Int
    ) -> Int32 {
      switch reason {
      case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return judge(wsi)
      case LWS_CALLBACK_HTTP:
        return refuse(wsi, status: 426, body: "") < 0 || lws_http_transaction_completed(wsi) != 0 ? -1 : 0
      case LWS_CALLBACK_ESTABLISHED: return arrive(wsi)
      case LWS_CALLBACK_WSI_DESTROY: expected[wsi] = nil
      case LWS_CALLBACK_CLOSED:
        let result = super.handle(wsi, reason, input, count)
        finishIfDone()
        return result
      default: return super.handle(wsi, reason, input, count)
      }
      return 0
    }

    /// Yes or no to a request. A positive number says that it was answered here.
    private func judge(_ wsi: OpaquePointer) -> Int32 {
      guard !isStopping, ports.count + expected.count < configuration.connectionCount else {
        return refuse(wsi, status: 503, body: "") < 0 ? -1 : 1
      }
      let request = RequestReader(wsi: wsi).read(
        names: configuration.headerNames, isSecure: configuration.identity != nil)
      switch answer(request) {
      case .accept:
        expected[wsi] = request
        return 0
      case .refuse(let status, let body): return refuse(wsi, status: status, body: body) < 0 ? -1 : 1
      }
    }

    private func arrive(_ wsi: OpaquePointer) -> Int32 {
      guard let request = expected.removeValue(forKey: wsi) else { return -1 }
      let mailbox = mailbox
      let link = Link(limits: configuration.limits) { mailbox.look(at: $0) }
      let port = LinkPort(wsi: wsi, link: link, limits: configuration.limits)
      add(port)
      port.established()
      let arrival = WebSocketArrival(request: request, connection: ServerEnd(link: link))
      // Where nobody takes arrivals, this one ends with the last reference to it.
      arrivals.yield(arrival)
      return 0
    }

    /// Answers with a status; negative when nothing more can be said. Written here: before the upgrade libwebsockets does
    /// not know the request's version yet and answers as HTTP/1.0, which some clients take for no answer.
    private func refuse(_ wsi: OpaquePointer, status: Int, body: String) -> Int32 {
      let head =
        "HTTP/1.1 \(status) \(Self.phrase(status))\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
      let space = Int(auricle_lws_space_before)
      var padded = [UInt8](repeating: 0, count: space) + Array((head + body).utf8)
      let count = padded.count - space
      let written = padded.withUnsafeMutableBufferPointer { buffer in
        lws_write(wsi, buffer.baseAddress! + space, count, LWS_WRITE_HTTP_FINAL)
      }
      return written < count ? -1 : 0
    }

    private static func phrase(_ status: Int) -> String {
      switch status {
      case 401: "Unauthorized"
      case 403: "Forbidden"
      case 404: "Not Found"
      case 426: "Upgrade Required"
      case 429: "Too Many Requests"
      case 503: "Service Unavailable"
      default: "Refused"
      }
    }
  }

  /// A server's connection. When nobody has it any more, it ends.
  private final class ServerEnd: WebSocketConnection {
    let link: Link

    init(link: Link) { self.link = link }
    deinit { link.cancel() }

    var closure: WebSocketClosure? { link.closure }
    func send(_ message: WebSocketMessage) async throws(WebSocketError) { try await link.send(message) }
    func receive() async -> WebSocketMessage? { await link.receive() }
    func ping() async throws(WebSocketError) { try await link.ping() }
    func close(_ code: WebSocketCloseCode, reason: String) async { await link.close(code, reason: reason) }
    func cancel() { link.cancel() }
  }
#endif
