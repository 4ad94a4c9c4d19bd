#if canImport(CWebSockets)
  import CWebSockets
  import Foundation

  /// The number of a host with a port, as the system has it.
  struct SocketAddress: Sendable, Equatable {
    let family: Int32
    let bytes: [UInt8]

    /// Asks the system for a name's numbers, in its order. Blocks.
    static func resolve(_ host: String, port: Int) throws(WebSocketError) -> [SocketAddress] {
      var hints = addrinfo()
      hints.ai_family = AF_UNSPEC
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      hints.ai_flags = AI_NUMERICSERV
      var list: UnsafeMutablePointer<addrinfo>?
      let failure = getaddrinfo(host, String(port), &hints, &list)
      guard failure == 0, let first = list else {
        throw WebSocketError(
          .unresolved, "The server's name is not known here: \(String(cString: gai_strerror(failure))).")
      }
      defer { freeaddrinfo(first) }
      return sequence(first: first) { $0.pointee.ai_next }.compactMap { entry in
        guard let address = entry.pointee.ai_addr else { return nil }
        let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen))
        return SocketAddress(family: entry.pointee.ai_family, bytes: Array(bytes))
      }
    }

    /// The number as text.
    var host: String {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let failure = withAddress { getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) }
      return failure == 0 ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
    }

    /// Lends the address as the system's calls take it.
    func withAddress<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
      bytes.withUnsafeBytes { raw in
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(raw.count, 128), alignment: 16)
        defer { copy.deallocate() }
        copy.copyMemory(from: raw.baseAddress!, byteCount: raw.count)
        return body(copy.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
      }
    }
  }
#endif
