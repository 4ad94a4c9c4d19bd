#if canImport(CWebSockets)
  import CWebSockets
  import Foundation

  /// What a client wants.
  struct ClientOrder: Sendable {
    let address: WebSocketAddress
    let headers: [WebSocketHeader]
    let proxy: ProxySettings.Proxy?
    let trust: WebSocketTrust
    let limits: WebSocketLimits
    let resolve: WebSocketClient.Resolver
  }

  /// One connection of a client, with its context.
  final class ClientLoop: EventLoop {
    private let order: ClientOrder
    private let link: Link
    private var certificateFault: String?

    private init(order: ClientOrder, link: Link, mailbox: LoopMailbox) {
      self.order = order
      self.link = link
      super.init(mailbox: mailbox)
    }

    /// Begins to connect, on a thread of its own. The link says what becomes of it.
    static func start(_ order: ClientOrder) -> Link {
      let mailbox = LoopMailbox()
      let link = Link(limits: order.limits) { mailbox.look(at: $0) }
      EventLoop.start {
        let loop = ClientLoop(order: order, link: link, mailbox: mailbox)
        do throws(WebSocketError) {
          try loop.connect()
          loop.run()
        } catch {
          link.fail(error)
        }
        loop.close()
        link.fail(WebSocketError(.lost, "The connection broke."))
        mailbox.shut()
      }
      return link
    }

    private func connect() throws(WebSocketError) {
      let (name, port) = order.proxy.map { ($0.host, $0.port) } ?? (order.address.host, order.address.port)
      let found = try order.resolve(name, port)
      let link = link
      let winner = try AddressRace.winner(of: found) { link.closure == nil }
      guard link.closure == nil else { throw LinkState.isCancelled }
      let seconds = Int(order.limits.handshakeTime / .seconds(1)) + 1
      guard open(descriptors: 8, headerBytes: 8_192, handshakeSeconds: seconds) else {
        throw WebSocketError(.exhausted, "The system gives no more memory or files.")
      }
      let host = try makeHost(numberOfProxy: order.proxy == nil ? nil : winner.host)
      guard connect(via: host, to: order.proxy == nil ? winner.host : order.address.host) else {
        throw link.closure?.error ?? WebSocketError(.unreachable, "The server does not answer.")
      }
    }

    /// Where trust and proxy belong.
    private func makeHost(numberOfProxy: String?) throws(WebSocketError) -> OpaquePointer {
      var info = lws_context_creation_info()
      info.port = CONTEXT_PORT_NO_LISTEN
      info.protocols = UnsafePointer(memory.protocols)
      info.vhost_name = memory.string("client")
      info.options = auricle_lws_check_utf8
      if order.address.isSecure { info.options |= auricle_lws_tls }
      if case .authorities(let path) = order.trust {
        info.options |= auricle_lws_no_system_authorities
        info.client_ssl_ca_filepath = memory.string(path)
      }
      info.alpn = memory.string("http/1.1")
      // Empty is no proxy. Nothing at all would have it read `http_proxy` by itself.
      info.http_proxy_address = memory.string(proxyText(numberOfProxy))
      info.http_proxy_port = UInt32(order.proxy?.port ?? 0)
      guard let host = lws_create_vhost(context, &info) else {
        throw WebSocketError(.certificateRejected, "The authorities to trust cannot be read.")
      }
      return host
    }

    private func proxyText(_ number: String?) -> String {
      guard let number, let proxy = order.proxy else { return "" }
      let place = number.contains(":") ? "[\(number)]:\(proxy.port)" : "\(number):\(proxy.port)"
      return proxy.credentials.map { "\($0)@\(place)" } ?? place
    }

    private func connect(via host: OpaquePointer, to number: String) -> Bool {
      var info = lws_client_connect_info()
      info.context = context
      info.vhost = host
      info.address = memory.string(number)
      info.port = Int32(order.address.port)
      info.host = memory.string(order.address.authority)
      info.path = memory.string(order.address.path)
      info.ietf_version_or_minus_one = -1
      info.alpn = memory.string("http/1.1")
      info.retry_and_idle_policy = UnsafePointer(memory.idlePolicy)
      // A redirection would carry the key to where it was not meant to go.
      var flags = LCCSCF_HTTP_NO_FOLLOW_REDIRECT.rawValue
      if order.address.isSecure { flags |= LCCSCF_USE_SSL.rawValue }
      if isNumber { flags |= LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK.rawValue }
      info.ssl_connection = Int32(bitPattern: flags)
      return lws_client_connect_via_info(&info) != nil
    }

    /// Whether the host is a number; then a certificate has to be for that number.
    private var isNumber: Bool {
      var space = in6_addr()
      return inet_pton(AF_INET, order.address.host, &space) == 1 || inet_pton(AF_INET6, order.address.host, &space) == 1
    }

    override func woken() {
      super.woken()
      if link.closure != nil { isFinished = true }
    }

    override func handle(
      _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ input: UnsafeMutableRawPointer?, _ count: Int
    ) -> Int32 {
      switch reason {
      case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: return appendHeaders(wsi, input, count)
      case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        link.fail(reasonOfFailure(wsi, input, count))
        isFinished = true
      case LWS_CALLBACK_CLIENT_ESTABLISHED:
        let port = LinkPort(wsi: wsi, link: link, limits: order.limits)
        add(port)
        port.established()
      case LWS_CALLBACK_CLIENT_CLOSED:
        isFinished = true
        return super.handle(wsi, reason, input, count)
      default: return super.handle(wsi, reason, input, count)
      }
      return 0
    }

    override func handleTrust(
      _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?, _ isTrusted: Bool
    ) -> Int32 {
      if reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS, isNumber, let user {
        return auricle_tls_expect_address(user, order.address.host) == 1 ? 0 : -1
      }
      if reason == LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION, !isTrusted, let user {
        certificateFault = auricle_tls_reason(user).map { String(cString: $0) }
        return 1
      }
      return 0
    }

    private func appendHeaders(_ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
      guard let place = input?.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self), let start = place.pointee
      else { return -1 }
      let end = start + count
      for header in order.headers {
        let value = Array(header.value.utf8)
        guard lws_add_http_header_by_name(wsi, header.name + ":", value, Int32(value.count), place, end) == 0 else {
          link.fail(WebSocketError(.invalidHeader, "The headers are too long."))
          return -1
        }
      }
      return 0
    }

    private func reasonOfFailure(
      _ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ count: Int
    ) -> WebSocketError {
      if let certificateFault {
        return WebSocketError(.certificateRejected, "The server's certificate is not trusted: \(certificateFault).")
      }
      let said = String(decoding: UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : count), as: UTF8.self)
      let status = Int(lws_http_client_http_response(wsi))
      if order.proxy != nil, status < 200, said.contains("proxy") || said.hasPrefix("Unable to connect") {
        return WebSocketError(.proxyFailed, "The proxy does not let through: \(said).")
      }
      if status >= 200 {
        return WebSocketError(.refused, "The server refused the connection with status \(status).", status: status)
      }
      if said.hasPrefix("conn fail") || said.hasPrefix("Unable to connect") {
        return WebSocketError(.unreachable, "The server does not answer: \(said).")
      }
      let what = said.isEmpty ? "it hung up" : said
      return WebSocketError(.handshakeFailed, "The server did not come to terms: \(what).")
    }
  }
#endif
