#if canImport(CWebSockets)
  import AuricleRecognition

  /// Where a server listens, and whom it lets in.
  public struct WebSocketServerConfiguration: Sendable {
    /// A certificate and its key, as PEM files.
    public struct Identity: Sendable, Equatable {
      /// The file of the certificate, and of those between it and the authority.
      public let certificatePath: String
      /// The file of the key.
      public let keyPath: String
      /// Names the two files.
      public init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
      }
    }

    /// The number of the interface; `::1` and the like too.
    public var host: String
    /// The port; 0 takes one that is free.
    public var port: Int
    /// For `wss`; `nil` for `ws`.
    public var identity: Identity?
    /// How many connections may be open; who comes then is refused with 503.
    public var connectionCount: Int
    /// How much may wait, and for how long.
    public var limits: WebSocketLimits
    /// Headers that a request may have beside the usual ones.
    public var headerNames: [String]

    /// Describes a server.
    public init(
      host: String = "127.0.0.1", port: Int = 0, identity: Identity? = nil, connectionCount: Int = 64,
      limits: WebSocketLimits = WebSocketLimits(), headerNames: [String] = []
    ) {
      self.host = host
      self.port = port
      self.identity = identity
      self.connectionCount = connectionCount
      self.limits = limits
      self.headerNames = headerNames
    }
  }

  /// A server on libwebsockets, with one thread for all its connections. When nobody has it any more, it stops.
  public final class WebSocketServer: Sendable {
    /// The port it listens on.
    public let port: Int
    /// Who was let in, in order. Read once. Ends when the server stops.
    public let arrivals: AsyncStream<WebSocketArrival>
    private let mailbox: LoopMailbox

    private init(port: Int, arrivals: AsyncStream<WebSocketArrival>, mailbox: LoopMailbox) {
      self.port = port
      self.arrivals = arrivals
      self.mailbox = mailbox
    }

    deinit { mailbox.stop() }

    /// Listens.
    /// - Parameters:
    ///   - configuration: Where it listens, and how much may wait.
    ///   - answer: Says yes or no to a request. Called on the server's thread, which must not wait.
    /// - Throws: ``WebSocketError`` of kind `cannotListen`, when the address is taken or the certificate cannot be used.
    public static func start(
      _ configuration: WebSocketServerConfiguration,
      answer: @escaping @Sendable (WebSocketRequest) -> WebSocketAnswer = { _ in .accept }
    ) async throws(WebSocketError) -> WebSocketServer {
      let mailbox = LoopMailbox()
      let (arrivals, continuation) = AsyncStream.makeStream(
        of: WebSocketArrival.self, bufferingPolicy: .bufferingOldest(max(1, configuration.connectionCount)))
      let started = ServerStart()
      await withCheckedContinuation { waiting in
        EventLoop.start {
          let loop = ServerLoop(configuration, answer: answer, arrivals: continuation, mailbox: mailbox)
          started.set(Result { () throws(WebSocketError) in try loop.listen() })
          waiting.resume()
          loop.run()
          loop.close()
          continuation.finish()
          mailbox.shut()
        }
      }
      let port = try started.get()
      return WebSocketServer(port: port, arrivals: arrivals, mailbox: mailbox)
    }

    /// Lets nobody in any more, says farewell to everybody, no longer than the limits allow, and lets go of everything.
    /// Harmless when repeated.
    public func stop() async {
      mailbox.stop()
      await mailbox.waitUntilShut()
    }
  }

  /// What a server's thread tells the one who started it.
  private final class ServerStart: Sendable {
    private let result = Guarded(Result<Int, WebSocketError>.failure(LinkState.isClosed))

    func set(_ result: Result<Int, WebSocketError>) { self.result.withLock { $0 = result } }

    func get() throws(WebSocketError) -> Int { try result.withLock { $0 }.get() }
  }
#endif
