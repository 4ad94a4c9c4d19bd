/// Whose word on a server's certificate counts.
public enum WebSocketTrust: Sendable, Equatable {
  /// The authorities that the system trusts.
  case system
  /// The authorities in a file (PEM), and no others.
  case authorities(path: String)
}

#if canImport(CWebSockets)
  import Foundation

  /// Connects to servers with libwebsockets. Each connection has one thread of its own, until it ends.
  ///
  /// A name that the system does not find holds that thread for as long as the system looks for it, also after the caller
  /// was told that it took too long.
  public struct WebSocketClient: WebSocketConnector {
    /// Finds a host's numbers; blocks.
    typealias Resolver = @Sendable (String, Int) throws(WebSocketError) -> [SocketAddress]

    /// How much may wait, and for how long.
    public let limits: WebSocketLimits
    /// Whose word on a certificate counts.
    public let trust: WebSocketTrust
    /// What goes through a proxy.
    public let proxies: ProxySettings
    var resolve: Resolver = { (host, port) throws(WebSocketError) in try SocketAddress.resolve(host, port: port) }

    /// Creates a client.
    /// - Parameters:
    ///   - limits: How much may wait, and for how long.
    ///   - trust: Whose word on a certificate counts.
    ///   - proxies: What goes through a proxy; by default what the environment says.
    public init(
      limits: WebSocketLimits = WebSocketLimits(), trust: WebSocketTrust = .system,
      proxies: ProxySettings = ProxySettings(environment: ProcessInfo.processInfo.environment)
    ) {
      self.limits = limits
      self.trust = trust
      self.proxies = proxies
    }

    /// Connects to a server; see ``WebSocketConnector/connect(to:headers:)``.
    public func connect(
      to address: WebSocketAddress, headers: [WebSocketHeader] = []
    ) async throws(WebSocketError) -> any WebSocketConnection {
      let proxy = try proxies.proxy(for: address)
      let link = ClientLoop.start(
        ClientOrder(
          address: address, headers: headers, proxy: proxy, trust: trust, limits: limits, resolve: resolve))
      // Ends with this call, or when the time is up.
      let alarm = Task { [limits] in
        guard (try? await Task.sleep(for: limits.handshakeTime)) != nil else { return }
        link.failUnlessOpen(WebSocketError(.timedOut, "The server took longer than it may."))
      }
      defer { alarm.cancel() }
      try await link.waitUntilOpen()
      return ClientEnd(link: link)
    }
  }

  /// A client's connection. When nobody has it any more, it ends.
  private final class ClientEnd: WebSocketConnection {
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
