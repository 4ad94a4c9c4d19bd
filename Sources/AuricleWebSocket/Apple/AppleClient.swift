#if canImport(Darwin) || AURICLE_APPLE_STUBS
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Connects to servers with `URLSession`, which follows the system's own proxy settings.
  public struct WebSocketClient: WebSocketConnector {
    /// How much may wait, and for how long.
    public let limits: WebSocketLimits
    /// Whose word on a certificate counts: here the system's only.
    public let trust: WebSocketTrust

    /// Creates a client.
    public init(limits: WebSocketLimits = WebSocketLimits(), trust: WebSocketTrust = .system) {
      self.limits = limits
      self.trust = trust
    }

    /// Connects to a server; see ``WebSocketConnector/connect(to:headers:)``.
    public func connect(
      to address: WebSocketAddress, headers: [WebSocketHeader] = []
    ) async throws(WebSocketError) -> any WebSocketConnection {
      guard trust == .system else {
        throw WebSocketError(.certificateRejected, "Authorities of one's own are installed in the system here.")
      }
      let scheme = address.isSecure ? "wss" : "ws"
      guard let url = URL(string: "\(scheme)://\(address.authority)\(address.path)") else {
        throw WebSocketError(.invalidAddress, "The address cannot be read.")
      }
      var request = URLRequest(url: url, timeoutInterval: limits.handshakeTime / .seconds(1))
      for header in headers { request.setValue(header.value, forHTTPHeaderField: header.name) }
      let transport = AppleTransport(request: request, limits: limits)
      // Ends with this call, or when the time is up.
      let alarm = Task { [limits] in
        guard (try? await Task.sleep(for: limits.handshakeTime)) != nil else { return }
        transport.link.failUnlessOpen(WebSocketError(.timedOut, "The server took longer than it may."))
      }
      defer { alarm.cancel() }
      try await transport.link.waitUntilOpen()
      return AppleEnd(transport: transport)
    }
  }

  /// A client's connection. When nobody has it any more, it ends.
  private final class AppleEnd: WebSocketConnection {
    let transport: AppleTransport

    init(transport: AppleTransport) { self.transport = transport }
    deinit { transport.link.cancel() }

    var closure: WebSocketClosure? { transport.link.closure }
    func send(_ message: WebSocketMessage) async throws(WebSocketError) { try await transport.link.send(message) }
    func receive() async -> WebSocketMessage? { await transport.link.receive() }
    func ping() async throws(WebSocketError) { try await transport.link.ping() }
    func close(_ code: WebSocketCloseCode, reason: String) async { await transport.link.close(code, reason: reason) }
    func cancel() { transport.link.cancel() }
  }
#endif
