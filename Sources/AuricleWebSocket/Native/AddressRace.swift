#if canImport(CWebSockets)
  import Foundation

  /// Finds which of a host's numbers answers: both families, a quarter of a second apart (RFC 8305). The connections that
  /// it makes are closed again; libwebsockets takes a number, not a socket.
  struct AddressRace {
    /// How long one number has before the next one sets out too.
    static let stagger = Duration.milliseconds(250)

    private struct Runner {
      let descriptor: Int32
      let address: SocketAddress
    }

    private var waiting: [SocketAddress]
    private var runners: [Runner] = []
    private var lastFailure: Int32 = 0

    /// Returns the first number that answers. Blocks; looks every tenth of a second whether anybody still wants to know.
    static func winner(
      of addresses: [SocketAddress], isWanted: () -> Bool
    ) throws(WebSocketError) -> SocketAddress {
      if addresses.count == 1 { return addresses[0] }
      var race = AddressRace(waiting: interleaved(addresses))
      defer { race.runners.forEach { close($0.descriptor) } }
      return try race.run(isWanted)
    }

    /// The families in turn, beginning with the one that the system prefers.
    static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
      let preferred = addresses.filter { $0.family == addresses.first?.family }
      let other = addresses.filter { $0.family != addresses.first?.family }
      return (0..<max(preferred.count, other.count)).flatMap { index in
        [preferred, other].compactMap { index < $0.count ? $0[index] : nil }
      }
    }

    private init(waiting: [SocketAddress]) {
      self.waiting = waiting
    }

    private mutating func run(_ isWanted: () -> Bool) throws(WebSocketError) -> SocketAddress {
      var nextStart = ContinuousClock.now
      while isWanted() {
        if !waiting.isEmpty, runners.isEmpty || ContinuousClock.now >= nextStart {
          if let winner = start(waiting.removeFirst()) { return winner }
          nextStart = .now.advanced(by: Self.stagger)
          continue
        }
        guard !runners.isEmpty else {
          throw WebSocketError(.unreachable, "The server does not answer: \(String(cString: strerror(lastFailure))).")
        }
        if let winner = look() { return winner }
      }
      throw LinkState.isCancelled
    }

    /// Sets out. Returns the address when it is there at once.
    private mutating func start(_ address: SocketAddress) -> SocketAddress? {
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let descriptor = socket(address.family, kind, 0)
      guard descriptor >= 0 else {
        lastFailure = errno
        return nil
      }
      let result = address.withAddress { connect(descriptor, $0, $1) }
      if result < 0 && errno != EINPROGRESS {
        lastFailure = errno
        close(descriptor)
        return nil
      }
      runners.append(Runner(descriptor: descriptor, address: address))
      return result == 0 ? address : nil
    }

    /// Waits a moment for somebody to arrive or fall.
    private mutating func look() -> SocketAddress? {
      var list = runners.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
      guard poll(&list, nfds_t(list.count), 100) > 0 else { return nil }
      for (index, entry) in list.enumerated().reversed() where entry.revents != 0 {
        var failure: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(entry.fd, SOL_SOCKET, SO_ERROR, &failure, &size)
        if failure == 0 { return runners[index].address }
        lastFailure = failure
        close(runners.remove(at: index).descriptor)
        // Who falls lets the next one go at once.
        if !waiting.isEmpty, let winner = start(waiting.removeFirst()) { return winner }
      }
      return nil
    }
  }
#endif
