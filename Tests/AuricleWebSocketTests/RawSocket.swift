import Foundation

/// A plain socket, for peers that misbehave. Its calls block, on threads of the tests' own.
final class RawSocket: @unchecked Sendable {
  // The rule that makes it safe: the descriptor never changes; the system orders what is done with it.
  let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { Glibc.close(descriptor) }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return address
  }

  private static func make() -> RawSocket {
    let made = RawSocket(socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    var wait = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(made.descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(made.descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    return made
  }

  static func connect(_ port: Int) -> RawSocket {
    let made = make()
    var address = loopback(port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = Glibc.connect(made.descriptor, $0, size) }
    }
    return made
  }

  /// Listens on a free port.
  static func listen(backlog: Int32 = 16) -> (socket: RawSocket, port: Int) {
    let made = make()
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(made.descriptor, $0, size)
        _ = Glibc.listen(made.descriptor, backlog)
        _ = getsockname(made.descriptor, $0, &size)
      }
    }
    return (made, Int(UInt16(bigEndian: address.sin_port)))
  }

  func accept() -> RawSocket? {
    let taken = Glibc.accept(descriptor, nil, nil)
    return taken < 0 ? nil : RawSocket(taken)
  }

  /// False when nobody takes it.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// What came; empty at the end.
  func receive() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes[..<count]) : []
  }

  /// Reads up to a mark, or to the end.
  func receive(until mark: String) -> String {
    var bytes: [UInt8] = []
    while !String(decoding: bytes, as: UTF8.self).contains(mark) {
      let more = receive()
      if more.isEmpty { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads to the end.
  func drain() { while !receive().isEmpty {} }

  func shut() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// Runs blocking work on a thread of its own, away from the pool of tasks.
func onThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
  await withCheckedContinuation { continuation in
    Thread { continuation.resume(returning: body()) }.start()
  }
}

/// Starts blocking work and does not wait for it.
func startThread(_ body: @escaping @Sendable () -> Void) { Thread(block: body).start() }

/// The greeting of a client that wants a connection.
func greeting(_ path: String = "/", _ headers: String = "") -> String {
  "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\(headers)\r\n"
}
