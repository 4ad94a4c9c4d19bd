#if canImport(Darwin) || AURICLE_APPLE_STUBS
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Carries between a link and a task of `URLSession`: one task of ours sends, one receives, one keeps the time.
  final class AppleTransport: Sendable {
    let link: Link
    private let task: URLSessionWebSocketTask

    init(request: URLRequest, limits: WebSocketLimits) {
      let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let (readings, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let link = Link(limits: limits) { _ in
        waker.yield()
        reader.yield()
      }
      let session = URLSession(
        configuration: .ephemeral, delegate: AppleDelegate(link: link), delegateQueue: nil)
      let task = session.webSocketTask(with: request)
      self.link = link
      self.task = task
      task.resume()
      // They end with the link, which wakes them; the session lets go of its delegate then.
      Task {
        await Self.send(link, task, wakes)
        session.invalidateAndCancel()
      }
      Task { await Self.receive(link, task, readings) }
      Task { await Self.keepTime(link, limits) }
    }

    private static func send(_ link: Link, _ task: URLSessionWebSocketTask, _ wakes: AsyncStream<Void>) async {
      for await _ in wakes {
        while let next = link.decide({ $0.takeOutgoing() }) { await send(next, link, task) }
        if link.closure != nil { break }
        if link.read({ $0.isClosing }) { limitFarewell(link) }
      }
      task.cancel()
    }

    private static func send(_ next: LinkOutgoing, _ link: Link, _ task: URLSessionWebSocketTask) async {
      do {
        switch next {
        case .message(.text(let text)): try await task.send(.string(text))
        case .message(.binary(let bytes)): try await task.send(.data(Data(bytes)))
        case .ping:
          task.sendPing { error in
            if error == nil { link.perform { $0.heardPong() } }
          }
        case .farewell(let code, let reason):
          let known = URLSessionWebSocketTask.CloseCode(rawValue: Int(code.rawValue)) ?? .normalClosure
          task.cancel(with: known, reason: Data(reason.utf8))
        }
      } catch {
        link.fail(WebSocketError(.lost, "The connection broke."))
      }
    }

    private static func receive(_ link: Link, _ task: URLSessionWebSocketTask, _ wakes: AsyncStream<Void>) async {
      var wakes = wakes.makeAsyncIterator()
      while link.closure == nil {
        if link.read({ $0.isPaused }) {
          await wakes.next()
          continue
        }
        let message: WebSocketMessage
        do {
          switch try await task.receive() {
          case .string(let text): message = .text(text)
          case .data(let data): message = .binary(Array(data))
          @unknown default: continue
          }
        } catch {
          // The delegate says why.
          return
        }
        if link.decide({ $0.received(message) }) == .tooBig {
          task.cancel(with: .messageTooBig, reason: nil)
        }
      }
    }

    /// Asks for signs of life.
    private static func keepTime(_ link: Link, _ limits: WebSocketLimits) async {
      guard let interval = limits.pingInterval else { return }
      while (try? await Task.sleep(for: interval)) != nil, link.closure == nil {
        guard link.read({ $0.refusal == nil && !$0.isPaused }) else { continue }
        let alarm = Task {
          guard (try? await Task.sleep(for: limits.pongTime)) != nil else { return }
          link.fail(WebSocketError(.pingTimeout, "The other side gave no sign of life in time."))
        }
        try? await link.ping()
        alarm.cancel()
      }
    }

    /// Ends a farewell that nobody answers.
    private static func limitFarewell(_ link: Link) {
      let time = link.read { $0.limits.closeTime }
      Task {
        try? await Task.sleep(for: time)
        link.fail(WebSocketError(.timedOut, "The other side did not answer the farewell in time."))
      }
    }
  }

  /// What `URLSession` tells of a connection.
  private final class AppleDelegate: NSObject, URLSessionWebSocketDelegate, Sendable {
    let link: Link

    init(link: Link) { self.link = link }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
      link.perform { $0.opened() }
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
      let code = WebSocketCloseCode(rawValue: UInt16(clamping: closeCode.rawValue))
      let closure = WebSocketClosure(code, String(decoding: reason ?? Data(), as: UTF8.self))
      link.perform { state in
        state.heardFarewell(closure)
        return state.transportEnded(WebSocketError(.lost, "The connection broke."))
      }
    }

    /// A redirection would carry the key to where it was not meant to go.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let status = (task.response as? HTTPURLResponse)?.statusCode
      let isOpen = link.read { if case .connecting = $0.phase { false } else { true } }
      let reason: WebSocketError =
        if let status, !isOpen, status != 101 {
          WebSocketError(.refused, "The server refused the connection with status \(status).", status: status)
        } else {
          Self.reason(error as? URLError, isOpen: isOpen)
        }
      link.perform { $0.transportEnded(reason) }
    }

    private static func reason(_ error: URLError?, isOpen: Bool) -> WebSocketError {
      switch error?.code {
      case .cannotFindHost, .dnsLookupFailed: WebSocketError(.unresolved, "The server's name is not known here.")
      case .cannotConnectToHost, .notConnectedToInternet: WebSocketError(.unreachable, "The server does not answer.")
      case .timedOut: WebSocketError(.timedOut, "The server took longer than it may.")
      case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
        .serverCertificateNotYetValid:
        WebSocketError(.certificateRejected, "The server's certificate is not trusted.")
      case .cancelled: LinkState.isCancelled
      default:
        isOpen
          ? WebSocketError(.lost, "The connection broke.")
          : WebSocketError(.handshakeFailed, "The server did not come to terms.")
      }
    }
  }
#endif
