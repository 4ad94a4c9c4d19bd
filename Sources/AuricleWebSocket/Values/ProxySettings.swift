/// Which connections go through a proxy.
public struct ProxySettings: Sendable, Equatable {
  /// A proxy that understands `CONNECT`.
  public struct Proxy: Sendable, Equatable, CustomStringConvertible {
    /// Where it is.
    public let host: String
    /// Its port.
    public let port: Int
    /// `user:password`, where it asks for them. A secret.
    public let credentials: String?

    /// Where it is, without what is secret.
    public var description: String { "\(host):\(port)" }
  }

  private let secure: Proxy?
  private let plain: Proxy?
  private let exceptions: [String]
  private let fault: WebSocketError?

  /// No proxy.
  public static let none = ProxySettings(environment: [:])

  /// Reads `HTTPS_PROXY` (for `wss`), `http_proxy` (for `ws`) and `NO_PROXY`; the first and the last in small letters too.
  public init(environment: [String: String]) {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    var fault: WebSocketError?
    func proxy(_ text: String?) -> Proxy? {
      guard let text else { return nil }
      do throws(WebSocketError) { return try Self.read(text) } catch { fault = error }
      return nil
    }
    secure = proxy(value("https_proxy", "HTTPS_PROXY"))
    plain = proxy(value("http_proxy"))
    exceptions = (value("no_proxy", "NO_PROXY") ?? "").lowercased().split { $0 == "," || $0 == " " }.map(String.init)
    self.fault = fault
  }

  /// The proxy for an address; `nil` when it is reached directly. This machine always is.
  /// - Throws: ``WebSocketError/Kind/proxyFailed``, when a proxy is named that cannot be understood.
  public func proxy(for address: WebSocketAddress) throws(WebSocketError) -> Proxy? {
    guard !address.isLoopback, !exceptions.contains(where: { Self.matches($0, address) }) else { return nil }
    if let fault { throw fault }
    return address.isSecure ? secure : plain
  }

  /// `*`, a host, a host with a port, or the end of a name with or without a dot in front.
  private static func matches(_ exception: String, _ address: WebSocketAddress) -> Bool {
    let host = address.host.lowercased()
    if exception == "*" || exception == host || exception == "[\(host)]" { return true }
    if exception == "\(host):\(address.port)" || exception == "[\(host)]:\(address.port)" { return true }
    var name = exception[...]
    if name.first == "*" { name.removeFirst() }
    if name.first == "." { name.removeFirst() }
    return !name.isEmpty && host.hasSuffix("." + name)
  }

  private static func read(_ text: String) throws(WebSocketError) -> Proxy {
    var rest = text[...]
    if let mark = rest.range(of: "://") {
      guard rest[..<mark.lowerBound].lowercased() == "http" else {
        throw WebSocketError(.proxyFailed, "The proxy is not of a kind that is understood: it begins with http://.")
      }
      rest = rest[mark.upperBound...]
    }
    if rest.last == "/" { rest.removeLast() }
    var credentials: String?
    if let sign = rest.lastIndex(of: "@") {
      credentials = String(rest[..<sign])
      rest = rest[rest.index(after: sign)...]
    }
    do throws(WebSocketError) {
      let address = try WebSocketAddress("ws://\(rest)")
      return Proxy(host: address.host, port: address.port, credentials: credentials)
    } catch {
      throw WebSocketError(.proxyFailed, "The proxy's address is none: it has the form http://host:port.")
    }
  }
}
