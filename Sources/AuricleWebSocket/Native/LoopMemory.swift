#if canImport(CWebSockets)
  import CWebSockets
  import Foundation

  /// What libwebsockets keeps pointers to for as long as a context lives: freed once, after the context.
  final class LoopMemory {
    private var strings: [UnsafeMutablePointer<CChar>] = []
    let protocols: UnsafeMutablePointer<lws_protocols>
    let idlePolicy: UnsafeMutablePointer<lws_retry_bo_t>

    init() {
      protocols = .allocate(capacity: 2)
      protocols.initialize(repeating: lws_protocols(), count: 2)
      idlePolicy = .allocate(capacity: 1)
      idlePolicy.initialize(to: lws_retry_bo_t())
      // Never by itself: it has no default for "off", and would not tell that it was the reason for an end.
      idlePolicy.pointee.secs_since_valid_ping = 0xfffe
      idlePolicy.pointee.secs_since_valid_hangup = 0xffff
      protocols[0].name = string("auricle")
      protocols[0].callback = eventLoopCallback
    }

    deinit {
      strings.forEach { free($0) }
      protocols.deinitialize(count: 2)
      protocols.deallocate()
      idlePolicy.deinitialize(count: 1)
      idlePolicy.deallocate()
    }

    /// A copy of a text that lives as long as this.
    func string(_ text: String) -> UnsafePointer<CChar>? {
      guard let copy = strdup(text) else { return nil }
      strings.append(copy)
      return UnsafePointer(copy)
    }
  }
#endif
